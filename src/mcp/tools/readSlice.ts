import * as z from 'zod';
import type { CheckedAnswer } from '../../delegation/task.ts';
import { readSliceInstructions, readSlicePrompt } from '../prompts/readSlice.ts';
import { readSources } from '../sourceFiles.ts';
import { checkLines, type CheckedLines } from '../sourceLines.ts';
import { defineTool, Refusal } from '../tool.ts';
import { filesInside } from '../workFolder.ts';
import { asksForWholeFile } from '../wholeFile.ts';
import { cwd, effort, model, overrides } from './common.ts';

const maxFiles = 20;

export const readSlice = defineTool({
  name: 'read_slice',
  title: 'Read slice',
  access: 'readOnly',
  alwaysLoad: true,
  description:
    'Exact lines of large files as file:line: source, each checked against the file. Not for whole files or ones you will edit.',
  input: {
    files: z.array(z.string()).min(1).max(maxFiles).describe('Paths in cwd.'),
    want: z.string().describe('Which lines: symbols, matches, numbers.'),
    cwd,
    model,
    effort,
  },
  async run(input, context) {
    const want = input.want.trim();
    if (want === '') throw new Refusal('want is empty. Say which lines: a symbol, a text to match, or line numbers.');
    const folder = await context.folder(input.cwd);
    const files = [...new Set(await filesInside(folder, input.files))];
    const sources = await readSources(folder, files);
    const extents = [...sources].map(([name, lines]) => ({ name, lines: lines.length }));
    if (asksForWholeFile(want, extents)) throw new Refusal(insteadOfWholeFiles);
    return context.work((delegation) =>
      delegation.start({
        tool: 'read_slice',
        prompt: readSlicePrompt(want, files),
        instructions: readSliceInstructions,
        access: 'readOnly',
        cwd: folder,
        choice: { by: 'tier', tier: context.settings.exploreModel },
        ...overrides(input),
        // Read anew: the answer is about the files as they are when it comes.
        check: async (answer) => outcomeOf(checkLines(answer, await readSources(folder, files), folder)),
      }),
    );
  },
});

const insteadOfWholeFiles =
  'read_slice returns some lines, not whole files; nothing was started. Say which lines (a symbol, a text to match, line numbers), ask explore what the file holds, or, when you are about to edit it, read it yourself.';

function outcomeOf(checked: CheckedLines): CheckedAnswer {
  const { lines, notFound, dropped, talk } = checked;
  const text = [...lines, ...notFound.map((what) => `not found: ${what}`)].join('\n');
  const notes = notesOf(checked);
  if (text !== '' && (lines.length > 0 || dropped === 0)) return { text, notes };
  const message = `No line of the worker's answer is in the files (${dropped + talk} were left out). Name the lines more exactly, or search the files yourself.`;
  // Not held against the engine: its CLI works, and lines that are nowhere may have been asked for.
  return { text, notes: [], failure: { reason: 'badRequest', message } };
}

function notesOf({ renumbered, respaced, dropped, talk }: CheckedLines): string[] {
  const said = [
    [renumbered, 'had a wrong number, which was corrected'],
    [respaced, 'had other white space, which was corrected'],
    [dropped, 'could not be found in the files and was left out'],
    [talk, 'was no line of a file and was left out'],
  ] as const;
  const parts = said.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []));
  return parts.length === 0 ? [] : [`Of the lines of the answer, checked against the files: ${parts.join('; ')}.`];
}
