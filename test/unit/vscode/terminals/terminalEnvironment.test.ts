import assert from 'node:assert/strict';
import { terminalEnvironment } from '../../../../src/vscode/terminals/terminalEnvironment.ts';

describe('terminalEnvironment', () => {
  const of = (from: NodeJS.ProcessEnv, set = {}) => terminalEnvironment(from, { path: '/mine/bin', set });

  it('is the person’s own, with their real PATH and what they set', () => {
    const env = of({ HOME: '/h', LC_ALL: 'C', EDITOR: 'vi', PATH: '/usr/bin' }, { HTTPS_PROXY: 'p' });
    const { HOME, LC_ALL, EDITOR, PATH, HTTPS_PROXY } = env;
    assert.deepEqual([HOME, LC_ALL, EDITOR, PATH, HTTPS_PROXY], ['/h', 'C', 'vi', '/mine/bin', 'p']);
  });

  it('holds nothing of the editor, of Sallyport, or of the terminal the editor was started from', () => {
    const foreign = {
      ...{ ELECTRON_RUN_AS_NODE: '1', VSCODE_IPC_HOOK: 's', NODE_OPTIONS: '--x', SALLYPORT_RUN: 'r' },
      ...{ TMUX: '/tmp/t,1,0', TMUX_PANE: '%1', STY: 's', COLUMNS: '1', LINES: '2', TERM_PROGRAM: 'tmux' },
    };
    const env = of(foreign);
    for (const name of Object.keys(foreign)) assert.notEqual(env[name], foreign[name as keyof typeof foreign], name);
    assert.equal(env.TMUX, undefined);
  });

  it('has each name once on Windows, where names have no case', () => {
    const from = { Path: 'C:\\Windows', PathExt: '.EXE', Electron_Run_As_Node: '1', https_proxy: 'old' };
    const env = terminalEnvironment(from, { path: 'C:\\mine', set: { HTTPS_PROXY: 'new' } }, 'win32');
    const { PATH, PathExt, HTTPS_PROXY, COLORTERM, TERM_PROGRAM, ...rest } = env;
    assert.deepEqual([PATH, PathExt, HTTPS_PROXY], ['C:\\mine', '.EXE', 'new']);
    assert.ok(COLORTERM && TERM_PROGRAM);
    assert.deepEqual(rest, {});
    assert.equal(terminalEnvironment({ Path: 'a' }, { path: 'b', set: {} }, 'linux').Path, 'a');
  });
});
