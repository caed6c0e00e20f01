import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as z from 'zod';
import { ensureTool } from '../../scripts/setup.ts';
import { ClaudeHook } from '../../src/clients/claudeHook.ts';
import { type CliClient, cliClients } from '../../src/clients/clientTable.ts';
import { Launcher } from '../../src/clients/launcher.ts';
import { capture } from '../../src/process/capture.ts';
import { type AgentHome, createAgentHome, type LoopbackEngine } from '../support/agentHomes.ts';
import { source } from '../support/bench/wiring.ts';
import { McpTestClient } from '../support/mcpClient.ts';
import type { Scenario } from '../support/modelServer/scenario.ts';
import { type ModelServer, startModelServer } from '../support/modelServer/server.ts';

const scenarios: Readonly<Record<string, Scenario>> = {
  twoLargeReads: {
    about: 'reads a small file, then two large ones',
    steps: [
      { call: { kind: 'read', path: 'small.txt' } },
      { call: { kind: 'read', path: 'large.txt' } },
      { call: { kind: 'read', path: 'large.txt' } },
      { say: 'Read.' },
    ],
  },
};

/** As `codex mcp list --json` prints it. */
const codexList = z.array(
  z.object({ name: z.string(), enabled: z.boolean(), transport: z.object({ command: z.string() }) }),
);

const nudge = /sallyport's read_slice/g;

/** Sallyport as an editor installs it, a launcher for it, and clients with homes of their own. */
describe('real clients outside the editor', function () {
  this.timeout(90_000);
  let root: string;
  let workspace: string;
  let server: ModelServer;
  let homes: Readonly<Record<LoopbackEngine, AgentHome>>;
  let launcher: Launcher;
  const extensions = () => join(root, 'extensions');
  const installed = (version: string) => join(extensions(), `sallyport.sallyport-${version}`);
  const stateRoot = () => join(root, 'state folder');

  beforeEach(async () => {
    const parent = join(homedir(), '.cache', 'sallyport-test-homes');
    await mkdir(parent, { recursive: true });
    root = await mkdtemp(join(parent, 'clients-'));
    workspace = join(root, 'workspace');
    await mkdir(workspace);
    await writeFile(join(workspace, 'small.txt'), 'a line\n');
    await writeFile(join(workspace, 'large.txt'), 'a line of a large file\n'.repeat(1_000));
    await mkdir(installed('0.1.0'), { recursive: true });
    for (const name of ['mcp.cjs', 'guard.cjs', 'redactWorker.cjs', 'launcher.cjs']) {
      await cp(source(join('..', 'dist', name)), join(installed('0.1.0'), 'dist', name));
    }
    await cp(source('../package.json'), join(installed('0.1.0'), 'package.json'));
    launcher = new Launcher({
      stateRoot: stateRoot(),
      extension: installed('0.1.0'),
      runtime: process.execPath,
      platform: process.platform,
    });
    await launcher.write();
    server = await startModelServer({ scenarios });
    homes = {
      claude: await createAgentHome('claude', server.url),
      codex: await createAgentHome('codex', server.url),
      grok: await createAgentHome('grok', server.url),
    };
  });

  afterEach(async () => {
    for (const home of Object.values(homes)) await home.dispose();
    await server.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  const client = (id: CliClient['id']) => cliClients.find((each) => each.id === id) ?? assert.fail(id);

  /** Runs a client in its own home. Returns what it printed; fails unless it ends with 0. */
  async function run(id: LoopbackEngine, args: readonly string[], code = 0): Promise<string> {
    const ended = await capture({
      file: await ensureTool(id),
      args,
      cwd: workspace,
      env: { ...process.env, ...homes[id].env },
      timeoutMs: 60_000,
      maxBytes: 4 * 1024 * 1024,
    });
    const output = `${ended.stdout.toString('utf8')}\n${ended.stderr}`;
    assert.equal(ended.code, code, output);
    return output;
  }

  for (const scope of ['user', 'local'] as const) {
    it(`Claude Code takes it for ${scope}, connects, survives an update, and gives it up`, async () => {
      const { add, remove, hasOneAlready } = client('claude');
      await run('claude', add(launcher.command, scope));
      assert.match(await run('claude', ['mcp', 'list']), /sallyport: .*sallyport-mcp.*Connected/);
      assert.ok(hasOneAlready(await run('claude', add(launcher.command, scope), 1)));
      await rename(installed('0.1.0'), installed('0.2.0-linux-x64'));
      assert.match(await run('claude', ['mcp', 'list']), /sallyport: .*Connected/);
      await rm(extensions(), { recursive: true });
      assert.match(await run('claude', ['mcp', 'list']), /sallyport: .*Failed to connect/);
      await run('claude', remove);
      assert.doesNotMatch(await run('claude', ['mcp', 'list']), /sallyport/);
    });
  }

  it('Codex takes it, offers its tools to the model, and gives it up', async () => {
    const { add, remove } = client('codex');
    const before = await readFile(join(homes.codex.folder, 'config.toml'), 'utf8');
    await run('codex', add(launcher.command, 'user'));
    await run('codex', add(launcher.command, 'user'));
    assert.deepEqual(await listOfCodex(), [
      { name: 'sallyport', enabled: true, transport: { command: launcher.path } },
    ]);
    await run('codex', ['exec', '--skip-git-repo-check', '[[scenario: answer]] Hello.']);
    assert.match(JSON.stringify(server.requests.at(-1)?.body), /sallyport.*read_slice/);
    await run('codex', remove);
    assert.deepEqual(await listOfCodex(), []);
    assert.equal((await readFile(join(homes.codex.folder, 'config.toml'), 'utf8')).trim(), before.trim());
  });

  async function listOfCodex(): Promise<z.infer<typeof codexList>> {
    const output = await run('codex', ['mcp', 'list', '--json']);
    return codexList.parse(JSON.parse(output.slice(output.indexOf('['), output.lastIndexOf(']') + 1)));
  }

  it('Grok takes it, finds it healthy, and gives it up', async () => {
    const { add, remove } = client('grok');
    await run('grok', add(launcher.command, 'user'));
    assert.match(await run('grok', ['mcp', 'list']), /sallyport: .*sallyport-mcp/);
    assert.match(await run('grok', ['mcp', 'doctor']), /sallyport/);
    await run('grok', remove);
    assert.doesNotMatch(await run('grok', ['mcp', 'list']), /sallyport/);
  });

  it('serves any client over the launcher, with the state folder of the window', async () => {
    // As Codex starts servers: with next to no environment.
    const { command, args } = launcher.command;
    const env = { PATH: '/usr/bin:/bin', HOME: homes.codex.userHome };
    const mcp = await McpTestClient.connect(
      new StdioClientTransport({ command, args: [...args], cwd: workspace, env, stderr: 'ignore' }),
    );
    const { text, isError } = await mcp.call('bridge_stats');
    await mcp.close();
    assert.equal(isError, false, text);
    assert.ok((await readdir(stateRoot())).includes('journal'));
    assert.deepEqual(await readdir(homes.codex.userHome), []);
  });

  describe('with the hook', () => {
    let hook: ClaudeHook;

    const hookIn = (claudeFolder: string) =>
      new ClaudeHook({ stateRoot: stateRoot(), claudeFolder, platform: process.platform, launcher });
    const nudged = () => readdir(join(stateRoot(), 'clients', 'nudged')).catch(() => []);
    const said = () => server.requests.map(({ body }) => JSON.stringify(body).match(nudge)?.length ?? 0);
    const ask = ['-p', '--output-format', 'json', '--dangerously-skip-permissions', '[[scenario: twoLargeReads]] Go.'];

    it('Claude Code is reminded once, after a large read alone, and not again when the session goes on', async () => {
      hook = hookIn(homes.claude.folder);
      await hook.install();
      const output = await run('claude', ask);
      assert.match(output, /"result":"Read\."/);
      assert.deepEqual(said().slice(-4), [0, 0, 1, 1]);
      const session = /"session_id":"([^"]+)"/.exec(output)?.[1] ?? assert.fail(output);
      assert.deepEqual(await nudged(), [session]);
      await run('claude', ['--resume', session, ...ask]);
      assert.equal(said().at(-1), 1);
      await hook.remove();
      await run('claude', ask);
      assert.deepEqual(said().slice(-4), [0, 0, 0, 0]);
    });

    it('Grok, which runs the hooks of Claude’s settings as well, is left alone', async () => {
      const folder = join(homes.grok.userHome, '.claude');
      const record = { type: 'command', command: `cat >> '${join(root, 'ran.jsonl')}'` };
      await mkdir(folder);
      await writeFile(
        join(folder, 'settings.json'),
        JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Read', hooks: [record] }] } }),
      );
      await hookIn(folder).install();
      await run('grok', ['-p', '[[scenario: twoLargeReads]] Go.', '-m', 'mock', '--always-approve']);
      assert.match(await readFile(join(root, 'ran.jsonl'), 'utf8'), /"tool_name":"read_file"/);
      assert.deepEqual(new Set(said()), new Set([0]));
      assert.deepEqual(await nudged(), []);
    });
  });
});
