import assert from 'node:assert/strict';
import { type EnvironmentRequest, workerEnvironment } from '../../../src/process/environment.ts';

const ours = { SALLYPORT_RUN: 'r1', SALLYPORT_DEPTH: '1', PATH: '/person/bin' };

function build(extra: Partial<EnvironmentRequest>) {
  return workerEnvironment({
    from: {},
    allow: [],
    set: {},
    path: '/person/bin',
    runId: 'r1',
    depth: 1,
    platform: 'linux',
    ...extra,
  });
}

describe('workerEnvironment', () => {
  it('passes the common names and prefixes and nothing else', () => {
    const from = { HOME: '/h', LC_ALL: 'C', XDG_DATA_HOME: '/d', https_proxy: 'p', NO_PROXY: 'n' };
    assert.deepEqual(
      build({ from: { ...from, PATH: '/old', AWS_SECRET_ACCESS_KEY: 's', home: 'x', SystemRoot: 'w' } }),
      {
        ...from,
        ...ours,
      },
    );
  });

  it('passes what the engine needs, by name or prefix', () => {
    const from = { OPENAI_API_KEY: 'k', CODEX_HOME: '/c', CODEX_X: 'x', ANTHROPIC_API_KEY: 'a', UNSET: undefined };
    assert.deepEqual(build({ from, allow: ['OPENAI_API_KEY', 'CODEX_*', 'UNSET'] }), {
      OPENAI_API_KEY: 'k',
      CODEX_HOME: '/c',
      CODEX_X: 'x',
      ...ours,
    });
  });

  it('lets the launch win over what is there', () => {
    assert.equal(build({ from: { TERM: 'xterm' }, set: { TERM: 'dumb' } }).TERM, 'dumb');
  });

  it('never passes what would change the runtime, nor a foreign marker, whoever asks', () => {
    const hostile = { ELECTRON_RUN_AS_NODE: '1', VSCODE_PID: '1', NODE_OPTIONS: '--require x', SALLYPORT_RUN: 'other' };
    assert.deepEqual(build({ from: hostile, allow: ['*', 'NODE_OPTIONS', 'VSCODE_*'], set: hostile }), ours);
  });

  it('ignores case on Windows only, and then has each variable once', () => {
    const from = { systemroot: 'C:\\W', Path: 'C:\\old', node_options: 'x', 'ProgramFiles(x86)': 'P', Temp: 'a' };
    assert.deepEqual(build({ from, set: { TEMP: 'b' }, platform: 'win32' }), {
      systemroot: 'C:\\W',
      'ProgramFiles(x86)': 'P',
      Temp: 'b',
      ...ours,
    });
  });
});
