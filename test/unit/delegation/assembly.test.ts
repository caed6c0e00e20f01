import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble } from '../../support/bench/wiring.ts';
import { FakeClock } from '../../support/fakes/clock.ts';

describe('the assembly', () => {
  it('forgets what is old: folders of runs, and files of the journal', async () => {
    const state = mkdtempSync(join(tmpdir(), 'sallyport-assembly-'));
    const clock = new FakeClock(Date.UTC(2026, 5, 1));
    const old = [join(state, 'journal', '2025-01-01-7-abcdef.jsonl'), join(state, 'runs', 'a-run-of-last-year', 'x')];
    for (const path of old) {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, '');
      for (const touched of [path, join(path, '..')]) utimesSync(touched, 1_735_689_600, 1_735_689_600);
    }
    const assembly = await assemble(
      {
        consent: false,
        workspace: state,
        state,
        settings: {
          tiers: [],
          cursor: { allowFallback: false },
          followUp: { allowWiden: false },
          maxRunMinutes: 30,
          noEventMinutes: 5,
          maxParallelRuns: 4,
          binaries: {},
          environment: {},
        },
      },
      clock,
    );
    while (old.some((path) => existsSync(path))) await new Promise(setImmediate);
    await assembly.dispose();
    rmSync(state, { recursive: true });
  });
});
