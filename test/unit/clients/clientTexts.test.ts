import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { cliClients } from '../../../src/clients/clientTable.ts';
import { commandLine } from '../../../src/clients/commandLine.ts';
import { snippetsFor } from '../../../src/clients/snippets.ts';

const launcher = { command: "/home/o'neil/a b/sallyport-mcp", args: [] };
const windows = { command: 'cmd', args: ['/c', String.raw`C:\Users\Ada L\sallyport-mcp.cmd`] };

describe('the clients with a command of their own', () => {
  it('are told the launcher after --, so that no part of it is taken for a flag', () => {
    for (const { add } of cliClients) {
      for (const server of [launcher, windows]) {
        const args = add(server, 'user');
        assert.deepEqual(args.slice(args.indexOf('--')), ['--', server.command, ...server.args]);
        assert.deepEqual(args.slice(0, 2), ['mcp', 'add']);
        assert.ok(args.includes('sallyport'));
      }
    }
  });

  it('are asked to remove the same name', () => {
    for (const { remove } of cliClients) assert.deepEqual([remove[1], remove.at(-1)], ['remove', 'sallyport']);
  });
});

describe('a command line to look at', () => {
  it('is what a shell makes the same words of', () => {
    const words = ['claude', 'mcp', "it's", 'a b', '$HOME', '`x`', '', '*', '--scope=user', 'ä;b'];
    const line = commandLine(words.slice(1), 'linux');
    const { stdout } = spawnSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' });
    assert.deepEqual(stdout.split('\n').slice(0, -1), words.slice(1));
  });

  it('leaves plain words plain', () => {
    assert.equal(commandLine(['codex', 'mcp', 'add', '--', '/a/b'], 'linux'), 'codex mcp add -- /a/b');
    assert.equal(commandLine(['cmd', '/c', windows.args[1] ?? ''], 'win32'), `cmd /c "${windows.args[1]}"`);
  });
});

describe('what is shown for pasting', () => {
  for (const server of [launcher, windows]) {
    it(`parses, and names ${server.command}`, () => {
      for (const { client, language, text } of snippetsFor(server)) {
        if (language === 'json') assert.ok(text.includes(JSON.stringify(server.command)), client);
        if (language === 'json') assert.doesNotThrow(() => JSON.parse(text), client);
        else assert.match(text, /^\[mcp_servers\.sallyport\]\ncommand = "/);
        assert.match(text, /sallyport/);
      }
    });
  }

  it('stands in the documentation as well', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/clients.md'), 'utf8');
    const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json]): unknown => JSON.parse(json ?? ''));
    for (const { client, language, text } of snippetsFor({ command: '<launcher>', args: [] })) {
      assert.ok(page.includes(client), client);
      if (language === 'toml') assert.ok(page.includes(text));
      else
        assert.ok(
          blocks.some((block) => isDeepStrictEqual(block, JSON.parse(text))),
          client,
        );
    }
  });

  it('holds no environment: secrets and permissions are the person’s to give', () => {
    for (const { text } of snippetsFor(launcher)) assert.doesNotMatch(text, /SALLYPORT_|_KEY|TOKEN/);
  });
});
