import { lstat, readFile, realpath } from 'node:fs/promises';
import { extname, join } from 'node:path';
import * as z from 'zod';
import { isInside } from '../../base/inside.ts';
import { oneLine } from '../../base/displayText.ts';
import type { CheckedAnswer } from '../../delegation/task.ts';
import { type ImageFacts, type ImageFormat, readImage } from '../imageFile.ts';
import { generateImageInstructions, generateImagePrompt } from '../prompts/generateImage.ts';
import { defineTool, Refusal } from '../tool.ts';
import { filesInside, newFileInside } from '../workFolder.ts';
import { cwd, effort, model, overrides } from './common.ts';

/** Those whose CLI has a tool for pictures. */
const painters = ['codex', 'grok'] as const;
const maxInputs = 8;
const formats: Readonly<Record<string, ImageFormat>> = {
  '.png': 'PNG',
  '.jpg': 'JPEG',
  '.jpeg': 'JPEG',
  '.webp': 'WebP',
};

export const generateImage = defineTool({
  name: 'generate_image',
  title: 'Generate image',
  access: 'workspaceWrite',
  description: 'Makes a picture and checks it. Returns path, size, dimensions.',
  input: {
    description: z.string().describe('What it shows, style, size.'),
    out_path: z.string().describe('New .png, .jpg or .webp in cwd.'),
    input_images: z.array(z.string()).max(maxInputs).optional().describe('To work from, in cwd.'),
    engine: z.enum(painters).default('codex').describe('Who makes it.'),
    cwd,
    model,
    effort,
  },
  async run(input, context) {
    if (input.description.trim() === '') throw new Refusal('description is empty. Say what the picture shows.');
    const folder = await context.folder(input.cwd);
    const out = await newFileInside(folder, input.out_path);
    const format = formats[extname(out).toLowerCase()];
    if (!format) throw new Refusal(`out_path must end in ${Object.keys(formats).join(', ')}.`);
    const from = await imagesInside(folder, input.input_images ?? []);
    return context.work((delegation) =>
      delegation.start({
        tool: 'generate_image',
        prompt: generateImagePrompt(input.description, out, from),
        instructions: generateImageInstructions,
        access: 'workspaceWrite',
        cwd: folder,
        choice: { by: 'engine', engine: input.engine },
        ...overrides(input),
        check: async (answer) => outcomeOf(await lookAt(folder, out), out, format, answer),
      }),
    );
  },
});

/** Absolute. */
async function imagesInside(folder: string, files: readonly string[]): Promise<string[]> {
  const paths = (await filesInside(folder, files, 'input_images')).map((file) => join(folder, file));
  for (const [index, path] of paths.entries()) {
    // A worker is told each in a line of its prompt.
    if (/\p{C}|\p{Zl}|\p{Zp}/u.test(path) || (await readPicture(path)) === undefined) {
      throw new Refusal(`input_images: ${JSON.stringify(files[index])} is no PNG, JPEG or WebP that can be read.`);
    }
  }
  return paths;
}

/** Longer ones are no pictures that a model made or takes. */
const maxBytes = 64 * 1024 * 1024;

type Picture = ImageFacts & { bytes: number };

async function readPicture(path: string): Promise<Picture | undefined> {
  const found = await lstat(path);
  if (!found.isFile() || found.size > maxBytes) return undefined;
  const facts = await readImage(await readFile(path));
  return facts && { ...facts, bytes: found.size };
}

/** The picture as it lies there now; `missing` also when something else does, or the way there leads out of the folder. */
async function lookAt(folder: string, out: string): Promise<Picture | 'missing' | 'unreadable'> {
  const path = join(folder, out);
  const [real, root, found] = await Promise.all([
    realpath(path).catch(() => undefined),
    realpath(folder),
    lstat(path).catch(() => undefined),
  ]);
  if (real === undefined || !isInside(real, root) || !found?.isFile()) return 'missing';
  return (await readPicture(path)) ?? 'unreadable';
}

/** Failures are not held against the engine: an account that may make no pictures does other work well. */
function outcomeOf(
  seen: Picture | 'missing' | 'unreadable',
  out: string,
  wanted: ImageFormat,
  answer: string,
): CheckedAnswer {
  if (typeof seen === 'string') {
    const [what, next] =
      seen === 'missing'
        ? [`There is no picture at ${out}.`, 'Try the other engine.']
        : [`What lies at ${out} is no PNG, JPEG or WebP that can be read.`, 'Remove it, then try the other engine.'];
    const message = `${what} ${next} The worker said: ${oneLine(answer, 400)}`;
    return { text: '', notes: [], failure: { reason: 'badRequest', message } };
  }
  const { format, width, height, bytes } = seen;
  const notes = format === wanted ? [] : [`It is a ${format} file, though its name ends like a ${wanted}.`];
  return { text: `${out}: ${format}, ${width} x ${height} pixels, ${bytes} bytes. It can be read to its end.`, notes };
}
