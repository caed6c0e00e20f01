import * as z from 'zod';
import type { CheckedAnswer } from '../../delegation/task.ts';
import { webLookupInstructions } from '../prompts/webLookup.ts';
import { defineTool, Refusal } from '../tool.ts';
import { cwd, effort, model, overrides } from './common.ts';

export const webLookup = defineTool({
  name: 'web_lookup',
  title: 'Web lookup',
  access: 'readOnly',
  alwaysLoad: true,
  description: 'Searches the live web; answers with links. Not for a page whose address you know.',
  input: {
    query: z.string().describe('A question, with versions.'),
    cwd,
    model,
    effort,
  },
  async run(input, context) {
    if (input.query.trim() === '') throw new Refusal('query is empty. Ask something.');
    const folder = await context.folder(input.cwd);
    return context.work((delegation) =>
      delegation.start({
        tool: 'web_lookup',
        prompt: input.query,
        instructions: webLookupInstructions,
        access: 'readOnly',
        web: true,
        cwd: folder,
        choice: { by: 'tier', tier: context.settings.exploreModel },
        ...overrides(input),
        check: (answer) => Promise.resolve(withSources(answer)),
      }),
    );
  },
});

const noSource = 'The answer names no source: it may be what the model remembers, and not what the web says today.';

function withSources(text: string): CheckedAnswer {
  return { text, notes: /\bhttps?:\/\/\S/i.test(text) ? [] : [noSource] };
}
