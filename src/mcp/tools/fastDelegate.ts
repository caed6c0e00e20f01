import * as z from 'zod';
import { fastDelegateInstructions } from '../prompts/fastDelegate.ts';
import { defineTool } from '../tool.ts';
import { cwd, effort, model, overrides } from './common.ts';

const defaultLevel = 1;
const fiveMinutes = 300_000;

export const fastDelegate = defineTool({
  name: 'fast_delegate',
  title: 'Fast delegate',
  access: 'workspaceWrite',
  description: 'delegate for small mechanical work: quick cheap models, 5 min at most.',
  input: {
    prompt: z.string().describe('Exact steps, paths.'),
    level: z.number().int().min(1).max(3).default(defaultLevel).describe('1 cheap to 3 strong.'),
    cwd,
    model,
    effort,
    timeout_ms: z.number().max(fiveMinutes).optional().describe('Time limit.'),
  },
  async run(input, context) {
    const folder = await context.folder(input.cwd);
    return context.work((delegation) =>
      delegation.start({
        tool: 'fast_delegate',
        prompt: input.prompt,
        instructions: fastDelegateInstructions,
        access: 'workspaceWrite',
        cwd: folder,
        choice: { by: 'level', level: input.level, fast: true },
        usualMs: fiveMinutes,
        ...overrides(input),
        ...(input.timeout_ms !== undefined && { timeoutMs: input.timeout_ms }),
      }),
    );
  },
});
