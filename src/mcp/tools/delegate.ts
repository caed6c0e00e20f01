import * as z from 'zod';
import { delegateInstructions } from '../prompts/delegate.ts';
import { defineTool } from '../tool.ts';
import { agent, cwd, effort, isolation, model, overrides } from './common.ts';

/** The cheapest rung: a caller that does not choose has not said the task is hard. */
const defaultLevel = 1;

export const delegate = defineTool({
  name: 'delegate',
  title: 'Delegate',
  access: 'workspaceWrite',
  alwaysLoad: true,
  description:
    'Another agent does a whole task in cwd. Returns summary, files changed, tests run. Not for small edits.',
  input: {
    prompt: z.string().describe('Goal, paths, constraints, checks.'),
    level: z.number().int().min(1).max(5).default(defaultLevel).describe('1 cheap to 5 strong.'),
    agent,
    cwd,
    model,
    effort,
    isolation,
    timeout_ms: z.number().optional().describe('Time limit.'),
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
        ...overrides(input),
        ...(input.timeout_ms !== undefined && { timeoutMs: input.timeout_ms }),
      }),
    );
  },
});
