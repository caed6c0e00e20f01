import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { CheckedAnswer } from '../../delegation/task.ts';
import { pathsIn } from '../planPaths.ts';
import { planInstructions } from '../prompts/plan.ts';
import { defineTool } from '../tool.ts';
import { cwd, effort, model, overrides } from './common.ts';

/** A plan is worth a capable model: whoever carries it out may be a cheap one. */
const defaultLevel = 3;

export const plan = defineTool({
  name: 'plan',
  title: 'Plan',
  access: 'readOnly',
  description: 'An implementation plan with real paths, for build. Changes nothing.',
  input: {
    task: z.string().describe('Goal and constraints.'),
    level: z.number().int().min(1).max(5).default(defaultLevel).describe('1 cheap to 5 strong.'),
    cwd,
    model,
    effort,
  },
  async run(input, context) {
    const folder = await context.folder(input.cwd);
    return context.work((delegation) =>
      delegation.start({
        tool: 'plan',
        prompt: input.task,
        instructions: planInstructions,
        access: 'readOnly',
        cwd: folder,
        choice: { by: 'level', level: input.level },
        ...overrides(input),
        check: (answer) => withMissingPaths(answer, folder),
      }),
    );
  },
});

const maxNamed = 10;

/** A plan that rests on files which are not there says so. */
async function withMissingPaths(text: string, folder: string): Promise<CheckedAnswer> {
  const paths = pathsIn(text);
  const there = await Promise.all(paths.map((path) => stat(join(folder, path)).then(Boolean, () => false)));
  const missing = paths.filter((_, index) => !there[index]);
  if (missing.length === 0) return { text, notes: [] };
  const more = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : '';
  const named = missing.slice(0, maxNamed).join(', ');
  return {
    text,
    notes: [`The plan names files that are not there: ${named}${more}. Check these steps before you build.`],
  };
}
