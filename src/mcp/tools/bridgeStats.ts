import * as z from 'zod';
import { statsPeriods, statsTable } from '../statsTable.ts';
import { defineTool } from '../tool.ts';

export const bridgeStats = defineTool({
  name: 'bridge_stats',
  title: 'Statistics',
  access: 'readOnly',
  description: 'Measured per tool and engine: calls, outcomes, durations, characters returned and kept out, tokens.',
  input: { period: z.enum(statsPeriods).default('week').describe('How far to look back.') },
  async run({ period }, context) {
    return { text: statsTable(await context.readStats(period), period) };
  },
});
