import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileHolders } from '../../../src/process/fileHolders.ts';
import { createLsofOpenFiles } from '../../../src/process/lsofOpenFiles.ts';
import { createOpenFiles, type OpenFiles } from '../../../src/process/openFiles.ts';
import { useTemporaryFolder } from '../../support/cursorStore/temporaryFolder.ts';

const lsof = ['/usr/sbin/lsof', '/usr/bin/lsof'].find((place) => existsSync(place));

/** Holds a file and has one child, until its stdin ends. */
const script = `
  const { openSync } = require('node:fs');
  const { spawn } = require('node:child_process');
  openSync(process.argv[1], process.argv[2]);
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  process.stdin.on('end', () => child.kill()).resume();
  console.log(child.pid);
`;

async function holdersOf(openFiles: OpenFiles, file: string): Promise<FileHolders> {
  const [answer] = await openFiles.holdersOf([file]);
  return answer ?? assert.fail('no answer');
}

function describeOpenFiles(title: string, create: () => OpenFiles): void {
  describe(title, () => {
    const temporaryFolder = useTemporaryFolder();
    const children: ChildProcess[] = [];
    afterEach(async () => {
      for (const child of children.splice(0)) {
        const gone = once(child, 'close');
        child.stdin?.end();
        if (child.exitCode === null) await gone;
      }
    });
    async function hold(file: string, flags: string): Promise<{ pid: number; child: number }> {
      const holder = spawn(process.execPath, ['-e', script, file, flags], { stdio: ['pipe', 'pipe', 'inherit'] });
      children.push(holder);
      const [line] = (await once(holder.stdout, 'data')) as [Buffer];
      return { pid: holder.pid ?? 0, child: Number(line.toString()) };
    }
    const newFile = (name = 'store.db'): string => {
      const file = join(temporaryFolder(), name);
      writeFileSync(file, 'x');
      return file;
    };

    it('finds who has a file open, and whether to write', async () => {
      const file = newFile();
      const writer = await hold(file, 'r+');
      const reader = await hold(file, 'r');
      const { holders } = await holdersOf(create(), file);
      assert.deepEqual(
        holders.toSorted((a, b) => a.pid - b.pid),
        [
          { pid: writer.pid, writes: true },
          { pid: reader.pid, writes: false },
        ].sort((a, b) => a.pid - b.pid),
      );
    });

    it('answers for each of several files, in their order', async () => {
      const files = ['store.db', 'other.db', 'free.db'].map((name) => newFile(name));
      const [store = '', other = '', free = ''] = files;
      const { pid: first } = await hold(store, 'r+');
      const { pid: second } = await hold(other, 'r');
      const asked = [join(temporaryFolder(), 'missing'), free, other, store];
      const answers = await create().holdersOf(asked);
      assert.deepEqual(
        answers.map(({ holders }) => holders),
        [[], [], [{ pid: second, writes: false }], [{ pid: first, writes: true }]],
      );
      assert.notEqual(answers[0]?.blind, undefined);
      assert.deepEqual(await create().holdersOf([]), []);
    });

    it('takes no other file for this one, and not this process for a holder', async () => {
      const file = newFile();
      mkdirSync(join(temporaryFolder(), 'other'));
      await hold(newFile(join('other', 'store.db')), 'r+');
      openSync(file, 'r+');
      assert.deepEqual((await holdersOf(create(), file)).holders, []);
    });

    it('describes a process', async () => {
      const file = newFile();
      const { pid, child } = await hold(file, 'r+');
      const details = await create().details(pid);
      assert.equal(details?.parent, process.pid);
      assert.deepEqual(details.children, [child]);
      assert.equal(details.argv[0], process.execPath);
      assert.ok(details.argv.includes(file));
      assert.equal(details.tty, (await create().details(process.pid))?.tty);
    });

    it('knows of nobody once a process is gone', async () => {
      const file = newFile();
      const { pid } = await hold(file, 'r+');
      const [holder] = children.splice(0);
      const gone = once(holder ?? assert.fail(), 'close');
      holder?.stdin?.end();
      await gone;
      assert.deepEqual((await holdersOf(create(), file)).holders, []);
      assert.equal(await create().details(pid), undefined);
    });

    it('says why it cannot see when the file is not there', async () => {
      const { holders, blind } = await holdersOf(create(), join(temporaryFolder(), 'missing'));
      assert.deepEqual(holders, []);
      assert.notEqual(blind, undefined);
    });
  });
}

if (process.platform === 'linux') {
  describeOpenFiles('open files by /proc', () => createOpenFiles('linux'));
  describe('open files by /proc, under another name', () => {
    const temporaryFolder = useTemporaryFolder();
    it('sees through links: device and inode count', async () => {
      const file = join(temporaryFolder(), 'store.db');
      mkdirSync(join(temporaryFolder(), 'linked'));
      writeFileSync(file, 'x');
      linkSync(file, join(temporaryFolder(), 'linked', 'store.db'));
      const holder = spawn(process.execPath, ['-e', script, join(temporaryFolder(), 'linked', 'store.db'), 'r+'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      await once(holder.stdout, 'data');
      assert.deepEqual((await holdersOf(createOpenFiles('linux'), file)).holders, [{ pid: holder.pid, writes: true }]);
      const gone = once(holder, 'close');
      holder.stdin.end();
      await gone;
    });
  });
}
if (process.platform !== 'win32' && lsof !== undefined && existsSync('/bin/ps')) {
  describeOpenFiles('open files by lsof', () => createLsofOpenFiles([lsof]));
} else console.log('no lsof here: what macOS relies on is not tested');

describe('open files where nobody can be asked', () => {
  it('says so', async () => {
    const missing = createLsofOpenFiles(['/nowhere/lsof']);
    assert.match((await holdersOf(missing, '/etc/passwd')).blind ?? '', /lsof/);
    const windows = createOpenFiles('win32');
    assert.match((await holdersOf(windows, 'C:\\x')).blind ?? '', /win32/);
    assert.equal(await windows.details(1), undefined);
  });
});
