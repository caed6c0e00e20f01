import { type FileHandle, open } from 'node:fs/promises';
import { showHidden } from '../../base/displayText.ts';
import type { Redactor } from '../redact.ts';

/** What the log of a command is called, in a folder of its own. */
export const logName = 'output.log';

/** How much a log holds. Lines count from 1. */
export interface LogExtent {
  chars: number;
  lines: number;
  /** Secrets that were taken out. */
  redactions: number;
}

/** What is looked through for secrets at a time: enough to be quick, and little enough for the memory. In characters. */
const partChars = 256 * 1024;
const mark = /\[redacted: /g;

/**
 * Writes the log of a command (0600) from its raw output, given in pieces: secrets taken out, and what would act or hide shown. Rejects when
 * it could not be looked through. A secret that lies across two parts is whole when it is looked for.
 */
export async function writeLog(raw: AsyncIterable<string>, file: string, redactor: Redactor): Promise<LogExtent> {
  const extent: LogExtent = { chars: 0, lines: 0, redactions: 0 };
  const log = await open(file, 'wx', 0o600);
  try {
    const stream = redactor.stream();
    let held = '';
    const put = async (text: string) => {
      if (text === '') return;
      const { text: redacted } = await redactor.redact(text);
      const shown = showHidden(redacted);
      extent.chars += shown.length;
      extent.lines += countOf(shown, /\n/g);
      extent.redactions += countOf(redacted, mark);
      await log.writeFile(shown);
    };
    let marksInRaw = 0;
    for await (const text of raw) {
      marksInRaw += countOf(text, mark);
      held += stream.push(text);
      if (held.length < partChars) continue;
      const cut = held.lastIndexOf('\n') + 1 || held.length;
      await put(held.slice(0, cut));
      held = held.slice(cut);
    }
    await put(held + stream.end());
    extent.redactions = Math.max(0, extent.redactions - marksInRaw);
    return extent;
  } finally {
    await log.close();
  }
}

const countOf = (text: string, what: RegExp) => text.match(what)?.length ?? 0;

/** A page begins at most this far (in bytes) before its place, so that it begins with a line. */
const lineSearch = 4_096;
const lineFeed = 0x0a;

/** One page of a log, and how many there are. */
export interface LogPage {
  text: string;
  pages: number;
}

/**
 * Page `number` (from 1) of a log, in pages of about `bytes` bytes and never more than that and 4,096. Pages joined are the
 * log. Only the page is read, however long the log is. `text` is empty for a page that is not there.
 */
export async function readPage(file: string, number: number, bytes: number): Promise<LogPage> {
  const log = await open(file, 'r');
  try {
    const { size } = await log.stat();
    const pages = Math.max(1, Math.ceil(size / bytes));
    if (number > pages) return { text: '', pages };
    const begin = await borderAt(log, (number - 1) * bytes, size);
    const end = await borderAt(log, number * bytes, size);
    return { text: await textOf(log, begin, end), pages };
  } finally {
    await log.close();
  }
}

/** The beginning and the end of a log, each of about so many bytes; the whole of one that has no more. */
export async function readEnds(file: string, head: number, tail: number): Promise<{ head: string; tail: string }> {
  const log = await open(file, 'r');
  try {
    const { size } = await log.stat();
    if (size <= head + tail) return { head: await textOf(log, 0, size), tail: '' };
    const end = await borderAt(log, head, size);
    const begin = Math.max(end, await borderAt(log, size - tail, size));
    return { head: await textOf(log, 0, end), tail: await textOf(log, begin, size) };
  } finally {
    await log.close();
  }
}

/** Where a part of the log may end: behind the last line before `at`, or else before a character. */
async function borderAt(log: FileHandle, at: number, size: number): Promise<number> {
  if (at <= 0 || at >= size) return Math.min(Math.max(at, 0), size);
  const from = Math.max(0, at - lineSearch);
  const before = await bytesOf(log, from, at + 1);
  const line = before.lastIndexOf(lineFeed, at - from - 1);
  if (line >= 0) return from + line + 1;
  let border = at;
  // The second and later bytes of a UTF-8 character are 10xxxxxx.
  while (border > from && ((before[border - from] ?? 0) & 0xc0) === 0x80) border--;
  return border;
}

async function textOf(log: FileHandle, begin: number, end: number): Promise<string> {
  return (await bytesOf(log, begin, end)).toString('utf8');
}

async function bytesOf(log: FileHandle, begin: number, end: number): Promise<Buffer> {
  const { buffer, bytesRead } = await log.read(Buffer.alloc(end - begin), 0, end - begin, begin);
  return buffer.subarray(0, bytesRead);
}
