import type { RequestSubject } from '../../protocol/request.ts';
import { applyHunks, readPatch } from './applyPatch.ts';

/** Two sides of a comparison. `onDisk`: the left one is the file as it is; else both are only what the call itself says. */
export interface ProposedChange {
  /** As the agent wrote it. */
  path: string;
  onDisk: boolean;
  before: string;
  after: string;
}

/** Reads a file by the path that the agent wrote; undefined when there is none, or it cannot be read as text. */
export type ReadFile = (path: string) => Promise<string | undefined>;

/**
 * What a call would make of the files it names: of the file on disk where the change fits it in exactly one place, else the
 * texts before and after alone. Empty for a call that changes no text.
 */
export async function proposedChanges(subject: RequestSubject, read: ReadFile): Promise<ProposedChange[]> {
  switch (subject.kind) {
    case 'write':
      return [{ path: subject.path, onDisk: true, before: (await read(subject.path)) ?? '', after: subject.contents }];
    case 'replace':
      return [replaced(subject, await read(subject.path))];
    case 'patch':
      return await patched(subject, read);
    case 'command':
    case 'delete':
    case 'fetch':
    case 'search':
    case 'mcpTool':
    case 'modeSwitch':
    case 'other':
      return [];
  }
}

function replaced(
  { path, before, after }: Extract<RequestSubject, { kind: 'replace' }>,
  text: string | undefined,
): ProposedChange {
  const parts = text === undefined || before === '' ? [] : text.split(before);
  return parts.length === 2 && text !== undefined
    ? { path, onDisk: true, before: text, after: parts.join(after) }
    : { path, onDisk: false, before, after };
}

async function patched(
  { paths, patch }: Extract<RequestSubject, { kind: 'patch' }>,
  read: ReadFile,
): Promise<ProposedChange[]> {
  const files = readPatch(patch);
  if (files.length === 0) return [{ path: paths[0] ?? 'patch', onDisk: false, before: '', after: patch }];
  const changes = files.map(async (file): Promise<ProposedChange> => {
    const text = await read(file.path);
    const after = text === undefined && file.kind !== 'add' ? undefined : applyHunks(text ?? '', file);
    if (after !== undefined) return { path: file.path, onDisk: true, before: text ?? '', after };
    const side = (name: 'before' | 'after') => file.hunks.map((hunk) => hunk[name].join('\n')).join('\n\n');
    return { path: file.path, onDisk: false, before: side('before'), after: side('after') };
  });
  return await Promise.all(changes);
}
