import type { FileChange } from '../protocol/model.ts';

const kinds: Readonly<Record<string, FileChange['kind']>> = { A: 'added', D: 'deleted', M: 'modified', T: 'modified' };

/** `:<mode> <mode> <object> <object> <letter> NUL <path> NUL`, again and again (git-diff-tree(1), raw output format). */
export function parseRaw(listed: string): FileChange[] {
  const parts = listed.split('\0');
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const kind = kinds[parts[at]?.at(-1) ?? ''];
    const path = parts[at + 1];
    if (kind && path) changes.push({ path, kind });
  }
  return changes;
}
