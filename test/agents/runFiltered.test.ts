import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Bench, sandboxed } from '../support/bench/bench.ts';
import { serverFor, sessionIn } from '../support/bench/mcpServer.ts';
import { source } from '../support/bench/wiring.ts';
import { type Answer, McpTestClient } from '../support/mcpClient.ts';
import type { Scenario } from '../support/modelServer/scenario.ts';
import { fakeSecrets } from '../support/modelServer/scenarios.ts';
import { needsSandbox } from '../support/sandbox.ts';
import { hello, message } from '../mcp/child.ts';

const filters: Scenario = {
  about: 'searches the log of a command, tries to run it again, and answers with quotes, one misnumbered, one made up',
  steps: [
    { call: { kind: 'shell', command: 'grep -n ERROR output.log; echo again >> ran.txt; ls -a' } },
    { say: 'One test failed.\n7: ERROR it broke\n9: ERROR made up\nIt saw: {{lastToolOutput}}' },
  ],
};

/** Prints `lines` lines of 50 characters with one error in the middle. */
const noisy = (lines: number, code = 3) =>
  `echo once >> ran.txt; awk 'BEGIN { for (i = 1; i <= ${lines}; i++) print (i == ${lines / 2}) ? "ERROR it broke" : "a line that says nothing much, but is fifty long." }'; exit ${code}`;

const addressIn = (text: string) => /sallyport:\/\/runs\/([\w-]+)\/output\?page=1/.exec(text) ?? assert.fail(text);

for (const engine of ['codex', 'claude'] as const) {
  describe(`run_filtered with real ${engine}`, function () {
    this.timeout(120_000);
    let bench: Bench;
    let client: McpTestClient;

    before(needsSandbox);

    before(async () => {
      bench = await Bench.open([engine], { scenarios: { filters } });
      client = await McpTestClient.connect(serverFor(bench));
    });

    after(async () => {
      await client.close();
      await bench.close();
    });

    it('runs the command once, has 500 KB filtered by one who cannot run it, and pages the whole log', async () => {
      const command = noisy(10_000);
      const { text, isError } = await client.call('run_filtered', { command, want: '[[scenario: filters]] errors' });
      assert.equal(isError, false, text);
      assert.equal(await bench.read('ran.txt'), 'once\n');
      assert.match(text, /^Note: Of the quoted lines, checked: 1 had a wrong number[^\n]*; 1 could not be found/);
      assert.match(
        text,
        /\n\nExit code 3, \d+\.\d s\.\nWhole output \(10,000 lines, 4\d\d,\d{3} characters\): sallyport:/,
      );
      assert.match(text, /\nOne test failed\.\n5000: ERROR it broke\nIt saw: /);
      assert.doesNotMatch(text, /made up/);
      assert.match(text, /\nFiles changed \(1\):\n- added ran\.txt\n/);
      const told = JSON.stringify(bench.lastRequest().body);
      assert.ok(told.includes('never run it') && told.includes('Exit code 3'));
      const [address] = addressIn(text);
      const page = await client.read(address);
      assert.match(page, /^a line that says/);
      const pages = Number(/\[Page 1 of (\d+)\./.exec(page)?.[1]);
      assert.ok(pages > 20 && pages < 40, `${pages} pages`);
      assert.match(await client.read(address.replace('page=1', `page=${pages}`)), /This is the last\.\]$/);
      const again = await client.call('follow_up', {
        session_id: sessionIn(text),
        question: '[[scenario: filters]] And?',
      });
      assert.match(again.text, /5000:ERROR|5000: ?ERROR|ERROR it broke/);
      assert.equal(await bench.read('ran.txt'), 'once\n');
    });
  });
}

describe('run_filtered without an agent', function () {
  this.timeout(180_000);
  let bench: Bench;
  let client: McpTestClient;
  let own: string;

  before(needsSandbox);

  before(async () => {
    bench = await Bench.open(['codex'], {
      settings: { sandbox: { ...sandboxed, extraPaths: { [resolve(import.meta.dirname, '../..')]: 'readOnly' } } },
    });
    client = await McpTestClient.connect(serverFor(bench));
    mkdirSync(join(homedir(), '.cache'), { recursive: true });
    own = mkdtempSync(join(homedir(), '.cache', 'sallyport-filter-'));
    writeFileSync(join(own, 'secret'), 'the-secret-of-the-person');
  });

  after(async () => {
    await client.close();
    await bench.close();
    rmSync(own, { recursive: true, force: true });
  });

  const run = (command: string, more: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Answer> =>
    client.call('run_filtered', { command, ...more }, { timeout: 170_000, ...(signal && { signal }) });

  const nothingLeft = async () => assert.deepEqual(await bench.processesOf(await bench.newestRun()), []);

  it('returns a short output as it is, both streams in order, and the exit code', async () => {
    const asked = bench.server.requests.length;
    const { text, isError } = await run('echo one; echo two >&2; echo three; cat; exit 7');
    assert.equal(isError, false);
    assert.match(text, /^Exit code 7, .*\nWhole output \(3 lines, 14 characters\): .*\n\n.*short:\none\ntwo\nthree$/);
    assert.equal(bench.server.requests.length, asked);
  });

  it('says of silence, of signals, and of binary output what is so', async () => {
    assert.match((await run('true')).text, /^Exit code 0, .*\nIt printed nothing\.$/);
    assert.match(
      (await run('kill -SEGV $$')).text,
      /^(Exit code 139 \(as after signal SIGSEGV\)|Ended by signal SIGSEGV)/,
    );
    assert.match((await run('nosuchprogram')).text, /^Exit code 127,[\s\S]*not found$/);
    const { text } = await run("printf 'a\\000b\\377\\033[31mred\\033[0m\\n'");
    assert.match(text, /\na\\x00b\ufffdred$/);
  });

  it('keeps the command from the person’s home and the disk outside the workspace, and lets it write inside', async () => {
    const { text } = await run(
      `cat ${own}/secret; echo x > ${own}/breach; echo x > /usr/breach; echo x > /tmp/sallyport-breach; echo in > made.txt; echo done`,
    );
    assert.match(text, /\ndone\n\nFiles changed \(\d\):\n[^]*- added made\.txt/);
    assert.doesNotMatch(text, /the-secret-of-the-person/);
    for (const place of [`${own}/breach`, '/usr/breach', '/tmp/sallyport-breach']) assert.ok(!existsSync(place), place);
    assert.equal(await bench.read('made.txt'), 'in\n');
  });

  it('ends what the command left in the background', async () => {
    const { text } = await run('(setsid sleep 600 >/dev/null 2>&1 &) ; sleep 601 & echo started');
    assert.match(text, /^Exit code 0,[^]*\nstarted$/);
    await nothingLeft();
  });

  it('stops at the time limit, and keeps what was printed', async () => {
    const { text, isError } = await run('echo before; sleep 600', { timeout_ms: 1_500 });
    assert.equal(isError, true);
    assert.match(
      text,
      /^Failed \(timedOut\):\nTime-out: stopped after \d+\.\d s, so there is no exit code\.[^]*\nbefore$/,
    );
    await nothingLeft();
  });

  it('ends with the call that is cancelled', async () => {
    const abort = new AbortController();
    const call = run('touch begun; sleep 600', {}, abort.signal);
    await bench.appears('begun');
    abort.abort();
    await assert.rejects(call);
    const ended = async () => (await bench.recordOf(`codex:${await bench.newestRun()}`))?.status === 'cancelled';
    for (let tries = 0; tries < 200 && !(await ended()); tries++) await new Promise((done) => setTimeout(done, 50));
    assert.ok(await ended());
    await nothingLeft();
  });

  it('takes secrets out of result and log, and leaves no other copy of the output', async () => {
    const secret = fakeSecrets.github;
    const { text } = await run(`echo token ${secret}; echo end`);
    assert.match(text, /^Note: 1 secret taken out of the log\.\n/);
    assert.ok(!text.includes(secret));
    const [address, id = ''] = addressIn(text);
    assert.ok(!(await client.read(address)).includes(secret));
    const folder = join(bench.wiring.state, 'runs', id, 'log');
    assert.deepEqual(readdirSync(folder), ['output.log']);
    assert.ok(!readFileSync(join(folder, 'output.log'), 'utf8').includes(secret));
  });

  it('refuses a command that calls Sallyport', async () => {
    const server = `env -i '${process.execPath}' '${source('mcpMain.ts')}'`;
    const call = message('tools/call', { name: 'run_filtered', arguments: { command: 'touch recursed' } }, 2);
    await bench.write('input.txt', hello + call);
    const ask = `mkfifo in; ${server} < in > out 2>&1 & exec 3> in; cat input.txt >&3; until grep '"id":2' out || ! kill -0 $!; do sleep 0.05; done; exec 3>&-; wait`;
    const { text } = await bench.runFiltered(ask);
    assert.match(text, /^Exit code 0, [^]*You are a worker of Sallyport already/);
    assert.equal(await bench.has('recursed'), false);
  });

  it('takes 100 MB, and shows its ends when no agent could filter it', async () => {
    const { text, isError } = await run(noisy(2_000_000, 0), { want: '[[scenario: http401]] errors' });
    assert.equal(isError, false, text);
    assert.match(text, /Exit code 0, .*\nWhole output \(2,000,000 lines, (?:9\d|1\d\d),\d{3},\d{3} characters\)/);
    assert.match(text, /The agent that was to filter it failed \(\w+\)/);
    assert.ok(text.length < 20_000);
  });
});
