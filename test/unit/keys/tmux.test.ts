import assert from 'node:assert/strict';
import { createTmux, type TmuxAnswer } from '../../../src/keys/tmux.ts';
import { openPane, parsePanes, readPane, type TmuxPane } from '../../../src/keys/tmuxPane.ts';
import type { Captured, Command } from '../../../src/process/capture.ts';

const never = new AbortController().signal;
const pane: TmuxPane = { socket: '/s', serverPid: 10, id: '%3', pid: 20, tty: '/dev/pts/3' };

async function answerTo(captured: Partial<Captured>, commands: Command[] = []): Promise<TmuxAnswer> {
  const nothing = { signal: null, stdout: Buffer.alloc(0), stderr: '', timedOut: false, truncated: false };
  const capture = (command: Command) => {
    commands.push(command);
    return Promise.resolve({ code: 1, startFailed: false, ...nothing, ...captured });
  };
  const env = { PATH: '/bin', LANG: 'C', TMUX: '/other,1,0', TMUX_PANE: '%9', TMUX_TMPDIR: '/t', SECRET: 'x' };
  return createTmux({ file: '/bin/tmux', capture, env })('/s', ['list-panes'], never);
}

describe('tmux', () => {
  it('is asked on exactly one socket, and knows nothing of where we run', async () => {
    const commands: Command[] = [];
    const said = await answerTo({ code: 0, stdout: Buffer.from('ä\n\n') }, commands);
    assert.deepEqual(said, { kind: 'said', lines: ['ä', ''] });
    assert.deepEqual(commands[0]?.args, ['-u', '-S', '/s', 'list-panes']);
    assert.deepEqual(commands[0].env, { PATH: '/bin', LANG: 'C' });
  });

  it('tells what is gone from what may pass', async () => {
    const cases: [Partial<Captured>, TmuxAnswer['kind'], RegExp][] = [
      [{ stderr: 'no server running on /s' }, 'gone', /server has ended/],
      [{ stderr: 'error connecting to /s (No such file or directory)' }, 'gone', /server has ended/],
      [{ stderr: 'error connecting to /s (Connection refused)' }, 'gone', /server has ended/],
      [{ stderr: 'server exited unexpectedly' }, 'gone', /server has ended/],
      [{ stderr: "can't find pane: %3" }, 'gone', /closed/],
      [{ stderr: 'error connecting to /s (Permission denied)' }, 'failed', /Permission denied/],
      [{ stderr: 'unknown option' }, 'failed', /unknown option/],
      [{ code: null, timedOut: true }, 'failed', /5 seconds/],
      [{ code: null }, 'failed', /a signal/],
      [{ startFailed: true, stderr: 'It is missing.' }, 'failed', /It is missing/],
    ];
    for (const [captured, kind, why] of cases) {
      const answer = await answerTo(captured);
      assert.ok(answer.kind !== 'said');
      assert.equal(answer.kind, kind);
      assert.match(answer.why, why);
    }
  });

  it('lists each pane once, and nothing that is none', () => {
    const lines = [
      '%3 10 20 /dev/pts/3',
      '%3 10 20 /dev/pts/3',
      '%4 10 21 /dev/pts/4',
      '%5 10 22 ',
      '',
      'x 1 2 /dev/x',
    ];
    assert.deepEqual(
      parsePanes('/s', lines).map(({ id, tty }) => [id, tty]),
      [
        ['%3', '/dev/pts/3'],
        ['%4', '/dev/pts/4'],
      ],
    );
  });

  it('says what a pane is like', () => {
    const cases: [string, string][] = [
      ['10 20 0000', 'ready'],
      ['10 20 0100', 'held'],
      ['10 20 0010', 'held'],
      ['10 20 0001', 'held'],
      ['10 20 0111', 'held'],
      ['10 20 1000', 'gone'],
      ['10 20 1100', 'gone'],
      ['11 20 0000', 'gone'],
      ['10 21 0100', 'gone'],
      ['10  0000', 'gone'],
      ['', 'unreadable'],
      ['10 20 000', 'unreadable'],
    ];
    for (const [line, state] of cases) assert.equal(readPane(pane, line, ['row']).state, state, line);
    assert.equal(readPane(pane, openPane(pane), []).state, 'ready');
  });
});
