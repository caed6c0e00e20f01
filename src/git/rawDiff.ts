import type { FileChange } from '../protocol/model.ts';

/** One side of a change: git's mode (`000000` where there is no file) and the name of the content. */
export interface RawSide {
  mode: string;
  object: string;
}

/** A changed file as git tells it. */
export interface RawChange extends FileChange {
  before: RawSide;
  after: RawSide;
}

const kinds: Readonly<Record<string, FileChange['kind']>> = { A: 'added', D: 'deleted', M: 'modified', T: 'modified' };

/** `:<mode> <mode> <object> <object> <letter> NUL <path> NUL`, again and again (git-diff-tree(1), raw output format). */
export function parseRaw(listed: string): RawChange[] {
  const parts = listed.split('\0');
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [modeBefore = '', modeAfter = '', before = '', after = '', letter = ''] = (parts[at] ?? '')
      .slice(1)
      .split(' ');
    const kind = kinds[letter];
    const path = parts[at + 1];
    if (!kind || !path) continue;
    changes.push({
      path,
      kind,
      before: { mode: modeBefore, object: before },
      after: { mode: modeAfter, object: after },
    });
  }
  return changes;
}
