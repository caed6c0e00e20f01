import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../../src/base/clock.ts';
import { createOpenFiles } from '../../../../src/process/openFiles.ts';
import { createProcessStates } from '../../../../src/process/processStates.ts';
import { createAgentPanes } from '../../../../src/vscode/terminals/agentPanes.ts';
import { type TrustCandidate, TrustWatch } from '../../../../src/vscode/terminals/trustWatch.ts';
import { useSimulators } from '../../../support/cursorSimulator/useSimulators.ts';
import { spawnSync } from 'node:child_process';

const uid = process.getuid?.();

describe('agents in tmux', function () {
  this.timeout(20_000);
  const start = useSimulators();

  it('are found by their program, and asked about trust without a key', async () => {
    const asking = await start({ scenario: { steps: [{ step: 'trust' }] }, inShell: true });
    await start({ scenario: {} });
    await asking.server.tmux('new-session', '-d', 'sh');
    // The servers of a user are found by the folder of their sockets.
    const env = { ...process.env, TMUX_TMPDIR: join(asking.server.folder, 'servers') };
    const sockets = join(env.TMUX_TMPDIR, `tmux-${uid ?? 0}`);
    mkdirSync(sockets, { recursive: true });
    symlinkSync(asking.server.socket, join(sockets, 'default'));
    const file = spawnSync('sh', ['-c', 'command -v tmux'], { encoding: 'utf8' }).stdout.trim();
    const panes = createAgentPanes({
      findTmux: () => Promise.resolve({ ok: true, file }),
      states: createProcessStates(),
      openFiles: createOpenFiles(),
      env,
      uid,
    });
    let watch: TrustWatch | undefined;
    const candidate = await new Promise<TrustCandidate>((onDidAsk) => {
      const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
      watch = new TrustWatch({ candidates: panes, onDidAsk, clock: { ...systemClock, after: soon }, log });
    });
    watch?.dispose();
    assert.deepEqual(candidate.place, { kind: 'tmux', socket: asking.server.socket, pane: asking.pane });
    const found = await panes(new AbortController().signal);
    assert.equal(found.length, 2);
    assert.deepEqual(
      asking.log().filter(({ event }) => event === 'input'),
      [],
    );
  });
});

/** The test does not wait for the pace of the real thing. */
function soon(ms: number, callback: () => void) {
  return systemClock.after(Math.min(ms, 50), callback);
}
