import type { Snapshot } from '../protocol/model.ts';
import type { FileVersion } from './fileVersion.ts';
import type { Git } from './git.ts';
import type { RawChange, RawSide } from './rawDiff.ts';

/** A version as it is kept: content in the form git keeps it, which may have other line ends than the work tree. */
export interface KeptChange {
  path: string;
  before: FileVersion;
  after: FileVersion;
}

/** Reads both sides of changes, in one go. A content that is not there any more is `unknown`. Throws `GitError`. */
export async function readKept(git: Git, snapshot: Snapshot, changes: readonly RawChange[]): Promise<KeptChange[]> {
  const names = new Set(
    changes
      .flatMap(({ before, after }) => [before, after])
      .filter(isContent)
      .map(nameOf),
  );
  const contents = await readContents(git, snapshot, [...names]);
  return changes.map(({ path, before, after }) => ({
    path,
    before: versionOf(before, contents),
    after: versionOf(after, contents),
  }));
}

const nameOf = ({ object }: RawSide) => object;

/** Git's modes: 100644 and 100755 are files, 120000 links, 160000 repositories (and our stand-ins for large files). */
const isContent = ({ mode }: RawSide) => mode.startsWith('100') || mode === '120000';

function versionOf(side: RawSide, contents: ReadonlyMap<string, Buffer>): FileVersion {
  if (/^0+$/.test(side.mode)) return { kind: 'absent' };
  const bytes = isContent(side) ? contents.get(side.object) : undefined;
  if (!bytes) return { kind: 'unknown' };
  return side.mode === '120000'
    ? { kind: 'link', target: bytes }
    : { kind: 'file', bytes, executable: side.mode === '100755' };
}

/** `<name> SP <type> SP <size> LF <content> LF`, or `<name> SP missing LF` (git-cat-file(1), batch output). */
async function readContents(git: Git, snapshot: Snapshot, names: string[]): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  if (names.length === 0) return contents;
  const input = Buffer.from(names.map((name) => `${name}\n`).join(''));
  const listed = await git.run({
    args: ['cat-file', '--batch'],
    gitFolder: snapshot.objects,
    workTree: snapshot.root,
    input,
  });
  for (let at = 0; at < listed.length;) {
    const end = listed.indexOf(0x0a, at);
    const [name = '', type, size = ''] = listed.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type === 'missing') continue;
    contents.set(name, listed.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}
