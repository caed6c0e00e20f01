import { spawnSync } from 'node:child_process';
import { type Simulator, type SimulatorOptions, SimulatorServer } from './inTmux.ts';

/**
 * For the suite this is called in: starts simulators in tmux, all of one test on one server, which is gone with everything
 * in it after the test. Skips the suite where there is no tmux.
 */
export function useSimulators(): (options: SimulatorOptions) => Promise<Simulator> {
  let server: SimulatorServer | undefined;
  before(function () {
    if (spawnSync('tmux', ['-V']).status === 0) return;
    console.log('tmux is not installed, and the simulated agents run in it: these checks are left out');
    this.skip();
  });
  afterEach(async () => {
    await server?.dispose();
    server = undefined;
  });
  return (options) => (server ??= new SimulatorServer()).start(options);
}
