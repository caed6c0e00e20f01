import * as z from 'zod';
import { delegateInstructions } from '../prompts/delegate.ts';
import { defineTool } from '../tool.ts';
import { cwd, effort, model } from './common.ts';

/** The cheapest rung: a caller that does not choose has not said the task is hard. */
const defaultLevel = 1;

export const delegate = defineTool({
  name: 'delegate',
  title: 'Delegate',
  access: 'workspaceWrite',
  alwaysLoad: true,
  description:
    'Another agent does a self-contained task in cwd: edits, checks. Returns summary, files changed, tests run. Not for small edits.',
  input: {
    prompt: z.string().describe('Goal, paths, constraints, how to check.'),
    level: z.number().int().min(1).max(5).default(defaultLevel).describe('1 cheapest to 5 most capable.'),
    cwd,
    model,
    effort,
    timeout_ms: z.number().optional().describe('Time limit in ms.'),
  },
  async run(input, context) {
    const folder = await context.folder(input.cwd);
    return context.work((delegation) =>
      delegation.start({
        tool: 'delegate',
        prompt: input.prompt,
        instructions: delegateInstructions,
        access: 'workspaceWrite',
        cwd: folder,
        choice: { by: 'level', level: input.level },
        ...(input.model !== undefined && { model: input.model }),
        ...(input.effort !== undefined && { effort: input.effort }),
        ...(input.timeout_ms !== undefined && { timeoutMs: input.timeout_ms }),
      }),
    );
  },
});
