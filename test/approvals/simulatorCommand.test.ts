import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cursor } from '../../src/engines/cursor.ts';
import { simulatorBinary } from '../support/cursorSimulator/inTmux.ts';
import { useSimulators } from '../support/cursorSimulator/useSimulators.ts';

const execute = promisify(execFile);

describe('the simulated cursor-agent: command line', () => {
  const start = useSimulators();

  it("passes for Cursor's program, and says that it is none", async () => {
    const [{ stdout: version }, { stdout: help }] = await Promise.all([
      execute(simulatorBinary, ['--version']),
      execute(simulatorBinary, ['--help']),
    ]);
    assert.match(help, /simulation/i);
    assert.deepEqual(cursor.identify(`${version}\n${help}`), { ok: true, version: version.trim() });
  });

  it('quits on Ctrl+C where it asks for trust', async () => {
    const simulator = await start({ scenario: { steps: [{ step: 'trust' }, { step: 'say', text: 'Trusted.' }] } });
    await simulator.shows((rows) => rows.some((row) => row.includes('[a] Trust this workspace')));
    await simulator.press('C-c');
    await simulator.ended();
    assert.ok(!simulator.log().some(({ event }) => event === 'chat'));
  });
});
