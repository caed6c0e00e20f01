import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Liveness, sessionsOf } from '../../../../src/cursor/session/liveness.ts';
import type { FileHolder, ProcessDetails } from '../../../../src/process/fileHolders.ts';
import { createOpenFiles, type OpenFiles } from '../../../../src/process/openFiles.ts';
import { ChatStoreWriter } from '../../../support/cursorStore/chatStoreWriter.ts';
import { useTemporaryFolder } from '../../../support/cursorStore/temporaryFolder.ts';

const program = fileURLToPath(new URL('../../../support/cursorStore/holderProcess.ts', import.meta.url));

function machine(holders: FileHolder[], processes: Partial<ProcessDetails>[], blind?: string): OpenFiles {
  return {
    holdersOf: (files) => Promise.resolve(files.map(() => ({ holders, blind }))),
    details: (pid) => {
      const found = processes.find((each) => each.pid === pid);
      return Promise.resolve(found && { pid, parent: 1, argv: [], tty: undefined, children: [], ...found });
    },
  };
}

async function sessionOf(file: string, openFiles: OpenFiles): Promise<Liveness> {
  const [session] = await sessionsOf([file], openFiles);
  return session ?? assert.fail('no answer');
}

describe('liveness of a session', () => {
  const temporaryFolder = useTemporaryFolder();

  it('is alive by whoever has the store open to write, with terminal and children', async () => {
    const process = { pid: 7, argv: ['node', 'index.js', '-f'], tty: '/dev/pts/3', children: [9] };
    const holders = [
      { pid: 5, writes: false },
      { pid: 7, writes: true },
    ];
    assert.deepEqual(await sessionOf('/store.db', machine(holders, [{ pid: 5 }, process])), {
      state: 'alive',
      processes: [process],
    });
  });

  it('names all when several have opened it, but not what one of them forked', async () => {
    const holders = [7, 8, 9].map((pid) => ({ pid, writes: true }));
    const session = await sessionOf('/store.db', machine(holders, [{ pid: 7 }, { pid: 8, parent: 7 }, { pid: 9 }]));
    assert.ok(session.state === 'alive');
    assert.deepEqual(
      session.processes.map(({ pid }) => pid),
      [7, 9],
    );
  });

  it('is dead only when everybody who could have it open was seen', async () => {
    assert.deepEqual(await sessionOf('/store.db', machine([], [])), { state: 'dead' });
    assert.deepEqual(await sessionOf('/store.db', machine([{ pid: 5, writes: false }], [{ pid: 5 }])), {
      state: 'dead',
    });
    assert.deepEqual(await sessionOf('/store.db', machine([{ pid: 5, writes: true }], [])), { state: 'dead' });
    assert.deepEqual(await sessionOf('/store.db', machine([], [], 'hidden')), { state: 'unknown', why: 'hidden' });
  });

  it('is alive for a real process that has the store open, and no longer', async function () {
    if (process.platform === 'win32') this.skip();
    const writer = new ChatStoreWriter({ root: temporaryFolder(), cwd: '/work' });
    writer.writeMeta();
    writer.close();
    for (const mode of ['write', 'read']) {
      const holder = spawn(process.execPath, [program, writer.file, mode], { stdio: ['pipe', 'pipe', 'inherit'] });
      await once(holder.stdout, 'data');
      const session = await sessionOf(writer.file, createOpenFiles());
      if (mode === 'write') {
        assert.ok(session.state === 'alive');
        assert.equal(session.processes[0].pid, holder.pid);
        assert.ok(session.processes[0].argv.includes(writer.file));
      } else assert.notEqual(session.state, 'alive');
      const gone = once(holder, 'close');
      holder.stdin.end();
      await gone;
      assert.notEqual((await sessionOf(writer.file, createOpenFiles())).state, 'alive');
    }
  });
});
