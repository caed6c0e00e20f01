import { z } from 'zod';
import { statsPeriods, statsTable } from '../statsTable.ts';
import { defineTool } from '../tool.ts';

export const bridgeStats = defineTool({
  name: 'bridge_stats',
  title: 'Delegation statistics',
  access: 'readOnly',
  description: 'Measured per tool and engine: runs, outcomes, durations, characters, tokens.',
  input: { period: z.enum(statsPeriods).default('week').describe('How far to look back.') },
  async run({ period }, context) {
    return { text: statsTable(await context.readStats(period), period) };
  },
});
