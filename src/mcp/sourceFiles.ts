import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findPrivateKeys } from '../delegation/secrets/privateKeys.ts';
import { markOf } from '../delegation/secrets/span.ts';
import type { Sources } from './sourceLines.ts';
import { Refusal } from './tool.ts';

/** Longer files are logs or data that no tool should take whole into memory. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads text files, given relative to `folder`, as lines without their ends, private keys hidden. Throws a Refusal for what
 * is no text file, or too large.
 */
export async function readSources(folder: string, files: readonly string[]): Promise<Sources> {
  const sources = new Map<string, readonly string[]>();
  for (const file of files) sources.set(file, linesOf(await readText(join(folder, file), file)));
  return sources;
}

async function readText(path: string, file: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  const refuse = (why: string) => new Refusal(`files: ${JSON.stringify(file)} ${why}`);
  // A worker names files a line each.
  if (/\p{Cc}/u.test(file)) throw refuse('has a control character in its name.');
  if (found?.isDirectory()) throw refuse('is a folder. Name files in it; to find out which, use explore.');
  if (!found?.isFile()) throw refuse('is no file that can be read.');
  if (found.size > maxBytes) {
    throw refuse(`has ${found.size} bytes; at most ${maxBytes} can be checked. Search it yourself.`);
  }
  const bytes = await readFile(path);
  if (bytes.subarray(0, 8_000).includes(0)) throw refuse('is no text.');
  return bytes.toString('utf8');
}

/**
 * A few lines out of the middle of a private key bear no mark by which a secret is known. In the whole file they do, so
 * they are hidden here, and what a worker returns of them is in no file.
 */
function withoutKeys(text: string): string {
  return findPrivateKeys(text).reduceRight((shown, { start, end, kind }) => {
    const hidden = shown.slice(start, end).replace(/[^\r\n]+/g, markOf(kind));
    return shown.slice(0, start) + hidden + shown.slice(end);
  }, text);
}

function linesOf(text: string): string[] {
  const lines = withoutKeys(text).split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
