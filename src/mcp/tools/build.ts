import * as z from 'zod';
import { buildInstructions } from '../prompts/build.ts';
import { defineTool } from '../tool.ts';
import { agent, cwd, effort, isolation, model, overrides } from './common.ts';

/** The thinking is in the plan. */
const defaultLevel = 1;

export const build = defineTool({
  name: 'build',
  title: 'Build',
  access: 'workspaceWrite',
  description: 'Carries out a plan in cwd. Returns summary, files changed, tests run, deviations.',
  input: {
    plan: z.string().describe('The whole plan: steps, paths, checks.'),
    level: z.number().int().min(1).max(5).default(defaultLevel).describe('1 cheap to 5 strong.'),
    agent,
    cwd,
    model,
    effort,
    isolation,
  },
  async run(input, context) {
    const folder = await context.folder(input.cwd);
    return context.work((delegation) =>
      delegation.start({
        tool: 'build',
        prompt: input.plan,
        instructions: buildInstructions,
        access: 'workspaceWrite',
        cwd: folder,
        choice: { by: 'level', level: input.level },
        ...overrides(input),
      }),
    );
  },
});
