import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { inspectChat } from '../../../src/cursor/inspect.ts';
import type { OpenFiles } from '../../../src/process/openFiles.ts';
import { ChatStoreWriter } from '../../support/cursorStore/chatStoreWriter.ts';
import { assistantMessage, call } from '../../support/cursorStore/messages.ts';
import { useTemporaryFolder } from '../../support/cursorStore/temporaryFolder.ts';

const script = fileURLToPath(new URL('../../../scripts/inspect.ts', import.meta.url));
const key = 'c2VjcmV0LWtleS1vZi10aGUtYmxvYnM=';
const argument = 'sk-argument-secret';
/** Made up; of the shape that GitHub's tokens have. */
const token = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;

const machine: OpenFiles = {
  holdersOf: () => Promise.resolve([{ holders: [{ pid: 7, writes: true }], blind: undefined }]),
  details: (pid) =>
    Promise.resolve({
      pid,
      parent: 1,
      argv: ['node', 'index.js', '--api-key', argument, '-f'],
      tty: '/dev/pts/3',
      children: [],
    }),
};

describe('inspecting a chat', () => {
  const temporaryFolder = useTemporaryFolder();

  function chat(): ChatStoreWriter {
    const writer = new ChatStoreWriter({ root: temporaryFolder(), cwd: '/work', title: 'Deploy' });
    writer.meta.blobEncryptionKey = key;
    writer.commitHead([
      assistantMessage(
        [call('a\nb', { command: `git push https://${token}@github.com/x` }), call('c', { command: 'ls' })],
        5,
      ),
    ]);
    writeFileSync(
      join(temporaryFolder(), 'cli-config.json'),
      JSON.stringify({ permissions: { allow: ['Shell(ls)'] } }),
    );
    return writer;
  }

  function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, INIT_CWD: temporaryFolder() } });
    child.stdin.end();
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return Promise.all([ended, text(child.stdout), text(child.stderr)]).then(([code, stdout, stderr]) => ({
      code,
      stdout,
      stderr,
    }));
  }

  it('tells what is pending, who owns the chat, how it decides and how sure that is', async () => {
    const writer = chat();
    const seen = await inspectChat(writer.folder, machine);
    writer.close();
    assert.ok(seen.certainty === 'known');
    assert.equal(seen.chat.title, 'Deploy');
    assert.deepEqual(seen.owner, {
      state: 'alive',
      processes: [{ pid: 7, tty: '/dev/pts/3', children: [], runsEverything: true }],
    });
    assert.deepEqual(
      seen.pending.map(({ toolCallId, coveredByRules }) => [toolCallId, coveredByRules]),
      [
        ['a\nb', false],
        ['c', true],
      ],
    );
    assert.ok(!JSON.stringify(seen).includes(key));
    assert.ok(!JSON.stringify(seen).includes(argument));
  });

  it('prints JSON without secrets, for a folder and for a store', async () => {
    const writer = chat();
    for (const path of [writer.folder, join('chats', '..', writer.file.slice(temporaryFolder().length + 1))]) {
      const { code, stdout, stderr } = await run(path);
      assert.equal(code, 0, stderr);
      const printed = JSON.parse(stdout) as { certainty: string; pending: unknown[] };
      assert.deepEqual([printed.certainty, printed.pending.length], ['known', 2]);
      assert.ok(!stdout.includes(token), 'a token in an argument');
      assert.ok(!stdout.includes(key), 'the key of the blobs');
    }
    writer.close();
  }).timeout(30_000);

  it('ends with 1 for a store that cannot be read, and with 2 and a way on for anything else', async () => {
    const file = join(temporaryFolder(), 'store.db');
    writeFileSync(file, 'no database');
    const bad = await run(file);
    assert.equal(bad.code, 1);
    assert.equal((JSON.parse(bad.stdout) as { certainty: string }).certainty, 'unknown');
    const wrong: [args: string[], says: RegExp][] = [
      [[], /usage/],
      [['a', 'b'], /usage/],
      [['missing'], /nothing at/],
      [['/'], /holds no store\.db/],
    ];
    await Promise.all(
      wrong.map(async ([args, says]) => {
        const { code, stdout, stderr } = await run(...args);
        assert.equal(code, 2);
        assert.equal(stdout, '');
        assert.match(stderr, says);
      }),
    );
  }).timeout(30_000);
});
