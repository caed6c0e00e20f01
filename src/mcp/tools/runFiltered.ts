import * as z from 'zod';
import { runFilteredInstructions, runFilteredPrompt } from '../prompts/runFiltered.ts';
import { outputUri } from '../runOutput.ts';
import { defineTool, Refusal } from '../tool.ts';
import { cwd, effort, model, overrides } from './common.ts';

/** Room for notes, the outcome, files changed and the footer beside the agent's answer. In characters. */
const besidesChars = 3_000;
const leastChars = 1_000;

export const runFiltered = defineTool({
  name: 'run_filtered',
  title: 'Run filtered',
  access: 'full',
  alwaysLoad: true,
  description:
    'Runs a shell command once, without input: exit code and only what matters of long output. For tests, builds, logs.',
  input: {
    command: z.string().describe('For sh -c.'),
    want: z.string().optional().describe('What matters; default: failures.'),
    cwd,
    model,
    effort,
    timeout_ms: z.number().optional().describe('Time limit.'),
  },
  async run(input, context) {
    if (input.command.trim() === '') throw new Refusal('command is empty. Give a command line for sh.');
    const folder = await context.folder(input.cwd);
    const { exploreModel, resultMaxChars } = context.settings;
    return context.work((delegation) =>
      delegation.runFiltered({
        tool: 'run_filtered',
        command: input.command,
        cwd: folder,
        ...(input.timeout_ms !== undefined && { timeoutMs: input.timeout_ms }),
        filterBy: exploreModel,
        filter: (output) => ({
          prompt: runFilteredPrompt(input.command, input.want, output),
          instructions: runFilteredInstructions,
          choice: { by: 'tier', tier: exploreModel },
          ...overrides({ model: input.model, effort: input.effort }),
        }),
        address: outputUri,
        maxChars: Math.max(leastChars, resultMaxChars - besidesChars),
      }),
    );
  },
});
