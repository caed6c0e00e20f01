import * as z from 'zod';
import { delegateInstructions } from '../prompts/delegate.ts';
import { digestRequest } from '../prompts/fanOut.ts';
import { defineTool } from '../tool.ts';
import { cwd, effort } from './common.ts';

export const fanOut = defineTool({
  name: 'fan_out',
  title: 'Fan out',
  access: 'workspaceWrite',
  description:
    'One task to several agents, each in its own git worktree. race: first success, the rest discarded. consensus: where they agree and differ.',
  input: {
    prompt: z.string().describe('As for delegate.'),
    levels: z.array(z.number().int().min(1).max(5)).min(2).max(5).describe('One agent each.'),
    mode: z.enum(['race', 'consensus']).describe('Which end.'),
    cwd,
    effort,
    timeout_ms: z.number().optional().describe('Time limit.'),
  },
  async run(input, context) {
    const folder = await context.folder(input.cwd);
    return context.work((delegation) =>
      delegation.fanOut({
        task: {
          tool: 'fan_out',
          prompt: input.prompt,
          instructions: delegateInstructions,
          cwd: folder,
          ...(input.effort !== undefined && { effort: input.effort }),
          ...(input.timeout_ms !== undefined && { timeoutMs: input.timeout_ms }),
        },
        levels: input.levels,
        mode: input.mode,
        arbiter: context.settings.exploreModel,
        digest: (answers) => digestRequest(input.prompt, answers),
      }),
    );
  },
});
