import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Ended, Engine } from '../../../src/engines/engine.ts';
import { engines } from '../../../src/engines/registry.ts';
import { aRequest, readRecording, replay } from './recordings.ts';

const cleanEnd: Ended = { code: 0, signal: null, stderrTail: '' };

/** A whole turn of each engine in its own words. Cursor's is made up from its documentation. */
const turns: Record<Engine['id'], readonly string[]> = {
  codex: readRecording('codex', 'edit').lines,
  grok: readRecording('grok', 'edit').lines,
  claude: readRecording('claude', 'edit').lines,
  cursor: [
    '{"type":"system","subtype":"init","session_id":"c0ffee","cwd":"/workspace","model":"Auto"}',
    '{"type":"tool_call","subtype":"started","call_id":"1","tool_call":{"shellToolCall":{"args":{"command":"ls"}}}}',
    '{"type":"tool_call","subtype":"completed","call_id":"1","tool_call":{"shellToolCall":{"args":{"command":"ls"},"result":{"success":{"exitCode":0}}}}}',
    '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Done."}]},"session_id":"c0ffee"}',
    '{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"c0ffee"}',
  ],
};

const garbage = [
  'not JSON',
  '{',
  '[]',
  '[1,2]',
  'null',
  '42',
  '"text"',
  '{}',
  '{"type":42}',
  '{"type":null}',
  '{"__proto__":{"type":"result"}}',
  '\u0000\u001b[2K',
  '\ufffd'.repeat(100),
  '['.repeat(50_000),
];

/** Lines of a known type that hold nothing of what the type promises. */
function emptied(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const type = /"type":"[\w.]+"/.exec(line)?.[0] ?? '"type":"x"';
    return [`{${type},"item":7,"message":[],"tool_call":null,"request":{},"error":"x","usage":"y","thread_id":1}`];
  });
}

for (const engine of engines) {
  const turn = turns[engine.id];
  const answer = replay(engine, { lines: turn, how: cleanEnd });

  describe(`output of ${engine.title} that is not what it should be`, () => {
    it('loses nothing of what follows', () => {
      const lines = turn.slice(0, -1).flatMap((line) => [...garbage, ...emptied(['{"type":"user"}']), line]);
      const noisy = replay(engine, { lines: [...lines, ...turn.slice(-1)], how: cleanEnd });
      assert.deepEqual(noisy, answer);
    });

    it('never throws, whatever the bytes', () => {
      fc.assert(
        fc.property(fc.array(fc.string({ unit: 'binary' })), fc.boolean(), (lines, cut) => {
          const conversation = engine.conversation(aRequest());
          for (const line of lines) conversation.receive(line, cut);
          assert.equal(conversation.ended(cleanEnd).status, 'failed');
        }),
      );
    });

    it('never throws, whatever the JSON under its own types', () => {
      const types = turn.map((line) => /"type":"([\w.]+)"/.exec(line)?.[1] ?? 'x');
      const event = fc
        .tuple(
          fc.constantFrom(...types),
          fc.dictionary(
            fc.constantFrom('item', 'message', 'error', 'usage', 'result', 'errors', 'tool_call', 'request'),
            fc.jsonValue(),
          ),
        )
        .map(([type, rest]) => JSON.stringify({ type, ...rest }));
      fc.assert(
        fc.property(fc.array(event), (lines) => {
          const conversation = engine.conversation(aRequest());
          for (const line of lines) conversation.receive(line, false);
          conversation.ended({ code: 1, signal: null, stderrTail: '' });
        }),
      );
    });

    it('gives an outcome after any part of a turn, and however its lines are cut', () => {
      fc.assert(
        fc.property(fc.nat(turn.length), fc.array(fc.nat(5_000)), (count, cuts) => {
          const conversation = engine.conversation(aRequest());
          for (const [at, line] of turn.slice(0, count).entries()) {
            const length = cuts[at];
            if (length === undefined || length >= line.length) conversation.receive(line, false);
            else conversation.receive(line.slice(0, length), true);
          }
          const outcome = conversation.ended({ code: null, signal: 'SIGKILL', stderrTail: '' });
          assert.ok(outcome.status === 'completed' || outcome.message !== '');
        }),
      );
    });

    it('is a failure when it ends without a result, though the exit code is 0', () => {
      for (const count of [0, 1, turn.length - 1]) {
        const { outcome } = replay(engine, { lines: turn.slice(0, count), how: cleanEnd });
        assert.equal(outcome.status === 'failed' && outcome.reason, 'badOutput');
      }
    });

    it('is counted and quoted in the failure', () => {
      const { outcome } = replay(engine, { lines: ['Welcome!', 'Pick a theme:'], how: cleanEnd });
      assert.equal(outcome.status === 'failed' && outcome.reason, 'badOutput');
      assert.match(outcome.status === 'failed' ? outcome.message : '', /2 lines of its output.*Pick a theme:$/);
    });

    it('says how a process ended that said nothing', () => {
      const message = (how: Ended): string => {
        const { outcome } = replay(engine, { lines: [], how });
        return outcome.status === 'failed' ? `${outcome.reason}: ${outcome.message}` : '';
      };
      assert.match(
        message({ code: 3, signal: null, stderrTail: 'noise\nError: no such thing\nnoise\n' }),
        /^exited: .*exit code 3.*Error: no such thing$/,
      );
      assert.match(message({ code: null, signal: 'SIGSEGV', stderrTail: '' }), /^exited: .*signal SIGSEGV/);
    });

    it('changes nothing after the result', () => {
      const conversation = engine.conversation(aRequest());
      const outcomes = turn.map((line) => conversation.receive(line, false).outcome);
      assert.equal(outcomes.filter((each) => each !== undefined).length, 1);
      for (const line of [...turn, ...garbage]) assert.deepEqual(conversation.receive(line, false), { events: [] });
      assert.deepEqual(conversation.interrupt(), []);
      assert.deepEqual(conversation.ended({ code: 1, signal: 'SIGKILL', stderrTail: 'x' }), answer.outcome);
    });

    it('keeps the beginning of an answer whose line was cut, and says so once', () => {
      const long = turn.map((line) => line.replaceAll('Done', `Done ${'x'.repeat(3_000)}`));
      const conversation = engine.conversation(aRequest());
      const events = long.flatMap((line) => {
        const cut = line.length > 2_500 && line.includes('Done');
        return conversation.receive(cut ? line.slice(0, 2_500) : line, cut).events;
      });
      const outcome = conversation.ended(cleanEnd);
      assert.match(outcome.status === 'completed' ? outcome.text : '', /^Done x{50}/);
      assert.equal(
        events.filter(({ kind }) => kind === 'warning').length,
        1 + answer.events.filter(({ kind }) => kind === 'warning').length,
      );
    });
  });
}
