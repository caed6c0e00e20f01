import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Assembly, AssemblySettings } from '../../../src/delegation/assembly.ts';
import { assemble } from '../../support/bench/wiring.ts';
import { FakeClock } from '../../support/fakes/clock.ts';

describe('the assembly', () => {
  let state: string;

  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'sallyport-assembly-'));
  });

  afterEach(() => rmSync(state, { recursive: true }));

  function open(
    binaries: AssemblySettings['binaries'] = {},
    environment: AssemblySettings['environment'] = {},
  ): Promise<Assembly> {
    const settings = {
      tiers: [],
      fastTiers: [],
      cursor: { allowFallback: false },
      followUp: { allowWiden: false },
      maxRunMinutes: 30,
      noEventMinutes: 5,
      maxParallelRuns: 4,
      terseWorkers: true,
      personas: { folders: [] },
      binaries,
      environment,
      sandbox: { mode: 'auto', extraPaths: {}, allowGitConfig: false } as const,
    };
    const wiring = { consent: false, workspace: join(state, 'elsewhere'), state, settings };
    return assemble(wiring, new FakeClock(Date.UTC(2026, 5, 1)));
  }

  it('forgets what is old: folders of runs, and files of the journal', async () => {
    const old = [join(state, 'journal', '2025-01-01-7-abcdef.jsonl'), join(state, 'runs', 'a-run-of-last-year', 'x')];
    for (const path of old) {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, '');
      for (const touched of [path, join(path, '..')]) utimesSync(touched, 1_735_689_600, 1_735_689_600);
    }
    const assembly = await open();
    while (old.some((path) => existsSync(path))) await new Promise(setImmediate);
    await assembly.dispose();
  });

  it('asks a program who it is with no more of the environment than a worker gets', async () => {
    const binary = join(state, 'bin', 'codex');
    mkdirSync(join(binary, '..'));
    mkdirSync(join(state, 'project'));
    writeFileSync(binary, `#!/bin/sh\nenv >> ${join(state, 'seen')}\n`);
    chmodSync(binary, 0o755);
    process.env.ASSEMBLY_TEST_TOKEN = 'none-of-its-business';
    try {
      const assembly = await open({ codex: binary }, { ASSEMBLY_TEST_SETTING: 'on' });
      const choice = { by: 'engine', engine: 'codex' } as const;
      const cwd = join(state, 'project');
      await assembly.delegation.start({ tool: 'test', prompt: 'x', access: 'readOnly', cwd, choice }).result;
      await assembly.dispose();
    } finally {
      delete process.env.ASSEMBLY_TEST_TOKEN;
    }
    const seen = readFileSync(join(state, 'seen'), 'utf8');
    assert.match(seen, /^ASSEMBLY_TEST_SETTING=on$/m);
    assert.doesNotMatch(seen, /none-of-its-business/);
  });

  it('runs no program of the folder a run works in, wherever this process was started', async () => {
    const cwd = join(state, 'project');
    const binary = join(cwd, 'node_modules', '.bin', 'codex');
    mkdirSync(join(binary, '..'), { recursive: true });
    writeFileSync(binary, `#!/bin/sh\ntouch ${join(state, 'it-ran')}\n`);
    chmodSync(binary, 0o755);
    const assembly = await open({ codex: binary });
    const choice = { by: 'engine', engine: 'codex' } as const;
    const run = assembly.delegation.start({ tool: 'test', prompt: 'x', access: 'readOnly', cwd, choice });
    const { text } = await run.result;
    assert.match(text, /programs of the workspace are never run/);
    assert.equal(existsSync(join(state, 'it-ran')), false);
    await assembly.dispose();
  });
});
