import * as z from 'zod';
import { breadths, exploreInstructions, explorePrompt } from '../prompts/explore.ts';
import { defineTool, Refusal } from '../tool.ts';
import { filesInside } from '../workFolder.ts';
import { cwd, effort, model, overrides } from './common.ts';

const maxFiles = 50;

export const explore = defineTool({
  name: 'explore',
  title: 'Explore',
  access: 'readOnly',
  alwaysLoad: true,
  description: 'Locates and explains code by file:line; no review. No question: project map. Not for files to edit.',
  input: {
    question: z.string().optional().describe('What to find.'),
    files: z.array(z.string()).max(maxFiles).optional().describe('Where to begin.'),
    breadth: z.enum(breadths).default('medium').describe('Search effort.'),
    cwd,
    model,
    effort,
  },
  async run(input, context) {
    if (input.question?.trim() === '')
      throw new Refusal('question is empty. Ask something, or leave it out for a project map.');
    const folder = await context.folder(input.cwd);
    const files = await filesInside(folder, input.files ?? []);
    return context.work((delegation) =>
      delegation.start({
        tool: 'explore',
        prompt: explorePrompt(input.question, files),
        instructions: exploreInstructions(input.breadth),
        access: 'readOnly',
        cwd: folder,
        choice: { by: 'tier', tier: context.settings.exploreModel },
        ...overrides(input),
      }),
    );
  },
});
