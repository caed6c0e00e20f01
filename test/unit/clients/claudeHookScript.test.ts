import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { hookScript, hookScriptName } from '../../../src/clients/claudeHookScript.ts';
import { placeText } from '../../../src/clients/place.ts';

const session = '6ca15701-3557-4f14-a4a1-73195a410fcc';
const shells = ['dash', 'bash', 'busybox', 'sh'].filter(
  (name) => spawnSync(name, name === 'busybox' ? ['sh', '-c', ':'] : ['-c', ':']).status === 0,
);

/** All that the hook may ever say. */
const answer = z.strictObject({
  hookSpecificOutput: z.strictObject({ hookEventName: z.literal('PreToolUse'), additionalContext: z.string() }),
});
const saidIn = (text: string) => answer.parse(JSON.parse(text)).hookSpecificOutput.additionalContext;

/** As Claude Code 2.1.332 sends it. */
const read = (file: string, extra: object = {}) => ({
  session_id: session,
  transcript_path: `/home/ada/.claude/projects/-tmp-ws/${session}.jsonl`,
  cwd: '/tmp/ws',
  permission_mode: 'default',
  effort: { level: 'medium' },
  hook_event_name: 'PreToolUse',
  tool_name: 'Read',
  tool_input: { file_path: file, ...extra },
  tool_use_id: 'toolu_1',
});
const search = (query: string) => ({ ...read(''), tool_name: 'WebSearch', tool_input: { query } });

for (const shell of shells) {
  describe(`the hook for Claude Code in ${shell}`, () => {
    let root: string;
    let script: string;
    let big: string;

    beforeEach(async () => {
      root = await mkdtemp(join(tmpdir(), "sallyport hook'"));
      script = join(root, 'clients', hookScriptName);
      const prefix = join(root, 'extensions', 'sallyport.sallyport-');
      await mkdir(join(root, 'clients', 'places'), { recursive: true });
      await mkdir(join(`${prefix}0.1.0`, 'dist'), { recursive: true });
      await writeFile(join(`${prefix}0.1.0`, 'dist', 'mcp.cjs'), '');
      await writeFile(join(root, 'clients', 'places', 'a'), placeText({ runtime: '/none', prefix }));
      await writeFile(script, hookScript);
      big = join(root, 'big file.ts');
      await writeFile(big, 'x'.repeat(20_000));
    });

    afterEach(() => rm(root, { recursive: true }));

    function run(input: object | string, env: NodeJS.ProcessEnv = {}): string {
      const args = shell === 'busybox' ? ['sh', script] : [script];
      const { status, stdout, stderr } = spawnSync(shell, args, {
        input: typeof input === 'string' ? input : `${JSON.stringify(input)}\n`,
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
      });
      assert.equal(stderr, '');
      assert.equal(status, 0);
      return stdout;
    }

    const nudged = async () => readdir(join(root, 'clients', 'nudged')).catch(() => []);

    it('reminds of read_slice when a large file is read whole, once', async () => {
      assert.match(saidIn(run(read(big))), /sallyport's read_slice/);
      assert.equal(run(read(big)), '');
      assert.equal(run(search('anything')), '');
      assert.deepEqual(await nudged(), [session]);
    });

    it('reminds of web_lookup when the web is searched', () => {
      assert.match(saidIn(run(search('which version'))), /web_lookup/);
    });

    it('reminds every session anew', () => {
      const other = session.replace('6', '7');
      assert.notEqual(run(read(big)), '');
      assert.notEqual(run(JSON.stringify(read(big)).replaceAll(session, other)), '');
    });

    it('reads input without a line end', () => {
      assert.notEqual(run(JSON.stringify(read(big))), '');
    });

    it('is silent about parts of files, small files, pictures and what is not there', async () => {
      const small = join(root, 'small.ts');
      const picture = join(root, 'picture.png');
      await writeFile(small, 'x'.repeat(1_000));
      await writeFile(picture, 'x'.repeat(20_000));
      for (const input of [
        read(big, { limit: 10 }),
        read(big, { offset: 10 }),
        read(small),
        read(picture),
        read(join(root, 'none.ts')),
        read(root),
        { ...read(big), tool_name: 'Grep' },
      ]) {
        assert.equal(run(input), '');
      }
      assert.deepEqual(await nudged(), []);
    });

    it('takes text for no key', () => {
      assert.match(run(search('{"cursor_version":"1","agent_id":"2"} \\"session_id\\":\\"x\\"')), /web_lookup/);
    });

    it('is silent for other clients, which run the hooks of Claude’s settings too', async () => {
      const snake = read(big);
      const foreign: Record<string, object | string> = {
        'Grok Build 1.0.41, as it was seen': {
          hookEventName: 'pre_tool_use',
          sessionId: session,
          transcriptPath: `/home/ada/.grok/sessions/%2Ftmp/${session}/updates.jsonl`,
          toolName: 'read_file',
          ...snake,
          tool_name: 'read_file',
          transcript_path: `/home/ada/.grok/sessions/%2Ftmp/${session}/updates.jsonl`,
        },
        'a client that spells keys in two ways': { hookEventName: 'PreToolUse', ...snake },
        Cursor: { conversation_id: session, cursor_version: '3.1', ...snake },
        'Cursor under its own name of the event': { ...snake, hook_event_name: 'preToolUse' },
        'a client with another transcript': { ...snake, transcript_path: '/home/ada/.codex/rollout-1.jsonl' },
        'a client without a transcript': { ...snake, transcript_path: null },
        'an agent of Claude Code': { ...snake, agent_id: 'a1', agent_type: 'Explore' },
        'another event': { ...snake, hook_event_name: 'PostToolUse' },
        'printed JSON': JSON.stringify(snake, null, 2),
        nothing: '',
        'no JSON': 'hello\n',
        'a session that is a path': JSON.stringify(snake).replaceAll(session, '../../etc/x'),
        'an empty session': JSON.stringify(snake).replaceAll(session, ''),
        'something huge': 'x'.repeat(200_000),
      };
      for (const [client, input] of Object.entries(foreign)) assert.equal(run(input), '', client);
      assert.deepEqual(await nudged(), []);
    });

    it('is silent in a worker of Sallyport, which has none of its tools', () => {
      assert.equal(run(read(big), { SALLYPORT_RUN: 'run-1' }), '');
    });

    it('is silent once Sallyport is uninstalled', async () => {
      await rm(join(root, 'extensions'), { recursive: true });
      assert.equal(run(read(big)), '');
      assert.deepEqual(await nudged(), []);
    });

    it('understands the paths of Windows', () => {
      const text = JSON.stringify(read(big))
        .replaceAll(`/${session}.jsonl`, String.raw`\\${session}.jsonl`)
        .replace(
          JSON.stringify(big).slice(1, -1),
          JSON.stringify(big)
            .slice(1, -1)
            .replaceAll('/', String.raw`\\`),
        );
      assert.match(text, /\\\\/);
      assert.notEqual(run(text), '');
    });

    it('is silent when it cannot remember, so as not to repeat itself', async function () {
      if (process.getuid?.() === 0) {
        // Root may write anywhere; a file in the folder's place stops it too.
        await writeFile(join(root, 'clients', 'nudged'), '');
      } else {
        await chmod(join(root, 'clients'), 0o500);
      }
      assert.equal(run(read(big)), '');
      await chmod(join(root, 'clients'), 0o700);
    });

    it('keeps what it remembers to the person', async () => {
      run(read(big));
      const { mode } = await stat(join(root, 'clients', 'nudged', session));
      assert.equal(mode & 0o777, 0o600);
    });

    it('lets one speak of those that run at the same time', async () => {
      const args = shell === 'busybox' ? ['sh', script] : [script];
      const answers = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const child = spawn(shell, args, { stdio: ['pipe', 'pipe', 'ignore'] });
          let text = '';
          child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
          child.stdin.end(JSON.stringify(read(big)));
          await new Promise((resolve) => child.once('close', resolve));
          return text;
        }),
      );
      assert.equal(answers.filter((text) => text !== '').length, 1);
    });
  });
}

describe('the command of the hook', () => {
  it('ends with 0 when the script is gone, which in some shells would block the tool', () => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', `sh '/none/${hookScriptName}' 2>/dev/null || true`], {
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout, stderr], [0, '', '']);
  });
});
