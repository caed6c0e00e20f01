import assert from 'node:assert/strict';
import { claude } from '../../../src/engines/claude.ts';
import { codex } from '../../../src/engines/codex.ts';
import type { Engine, RunRequest } from '../../../src/engines/engine.ts';
import { grok } from '../../../src/engines/grok.ts';
import type { FailureReason, Outcome } from '../../../src/protocol/model.ts';
import { aRequest, inShort, readRecording, recordingNames, replay } from './recordings.ts';

/** What must come of a recording. `ends`: the answer, or the reason and a part of the message of a failure. */
interface Expected {
  events: readonly string[];
  ends: string | readonly [FailureReason, RegExp];
  request?: Partial<RunRequest>;
  /** Whether a command that the read-only sandbox stops leaves an item differs from one run of Codex to the next. */
  mayHideRefusals?: boolean;
}

const longAnswer = `${'long answer '.repeat(9).slice(0, 99)}\n`.repeat(40);
const grandchild = `starts setsid sh -c 'trap "" TERM INT HUP; echo $$ > grandchild.pid; while :; do sleep 1; done' > /dev/null 2>&1 < /dev/null & echo started; sleep 300`;
const writesNote = [
  'says I will write the note now.',
  "starts printf 'a note\\n' > note.txt && cat note.txt",
  'tool ok',
  'says Done: note.txt:1 holds the note.',
];
const noteDone = 'Done: note.txt:1 holds the note.';
const triedTwice = 'I tried to write breach.txt twice.';

/** Codex begins each run of a model it does not know with this warning. */
const begun = ['session', 'remarks Model metadata for `loopback` not found. Defaulting to fallb'];
const saysLong = `says ${longAnswer.slice(0, 60)}`;

const ofCodex: Record<string, Expected> = {
  answer: {
    events: [...begun, 'says The answer is forty-two.', 'usage 120/20/30 of 120/20/30'],
    ends: 'The answer is forty-two.',
  },
  think: {
    events: [...begun, 'says Thought it through: yes.', 'usage 120/20/30 of 120/20/30'],
    ends: 'Thought it through: yes.',
  },
  edit: { events: [...begun, ...writesNote, 'usage 240/40/60 of 240/40/60'], ends: noteDone },
  patch: {
    events: [
      ...begun,
      'starts edit patched.txt',
      'tool ok',
      'added patched.txt',
      'says Done: patched.txt has two lines.',
      'usage 240/40/60 of 240/40/60',
    ],
    ends: 'Done: patched.txt has two lines.',
  },
  'resume-first': {
    events: [...begun, 'says The answer is forty-two.', 'usage 120/20/30 of 120/20/30'],
    ends: 'The answer is forty-two.',
  },
  resume: {
    request: { resume: { id: 'x', threadUsage: { input: 120, cachedInput: 20, output: 30 } } },
    events: [...begun, 'says I have seen 2 user turn(s).', 'usage 120/20/30 of 240/40/60'],
    ends: 'I have seen 2 user turn(s).',
  },
  'resume-read-only-first': {
    mayHideRefusals: true,
    events: [...begun, 'says I will write the note now.', `says ${noteDone}`, 'usage 240/40/60 of 240/40/60'],
    ends: noteDone,
  },
  'resume-read-only': {
    mayHideRefusals: true,
    request: { resume: { id: 'x' } },
    events: [...begun, `says ${triedTwice}`, 'usage unknown of 600/100/150'],
    ends: triedTwice,
  },
  'read-only-write': {
    mayHideRefusals: true,
    events: [...begun, `says ${triedTwice}`, 'usage 360/60/90 of 360/60/90'],
    ends: triedTwice,
  },
  'failing-command': {
    events: [
      ...begun,
      'starts echo "no such target" >&2; exit 3',
      'tool failed',
      'says The command failed with exit code 3.',
      'usage 240/40/60 of 240/40/60',
    ],
    ends: 'The command failed with exit code 3.',
  },
  'long-text': { events: [...begun, saysLong, 'usage 120/20/30 of 120/20/30'], ends: longAnswer },
  'http-401': { events: begun, ends: ['notSignedIn', /`codex login`.*401 Unauthorized/] },
  'http-403': { events: begun, ends: ['notSignedIn', /may not use the service/] },
  'http-404': { events: begun, ends: ['badRequest', /cannot use this model/] },
  'http-429': { events: begun, ends: ['rateLimited', /Wait a minute.*429/] },
  'http-500': { events: begun, ends: ['environment', /has trouble.*high demand/] },
  'usage-limit': { events: begun, ends: ['rateLimited', /used up.*try again at May 18th/] },
  quota: { events: begun, ends: ['rateLimited', /used up.*Quota exceeded/] },
  'cut-stream': { events: begun, ends: ['environment', /lost the connection.*stream disconnected/] },
  'bad-resume': { events: [], ends: ['badRequest', /does not know this session.*no rollout found/] },
  cancelled: { events: [...begun, grandchild], ends: ['exited', /exit code 1/] },
};

/** The models Codex knows script their tools. It tells the same of them, the script aside, and warns of nothing. */
function ofKnownModel(name: string): [string, Expected] {
  const { events, ...rest } = ofCodex[name] ?? assert.fail(name);
  return [`known-model-${name}`, { ...rest, events: events.filter((each) => !each.startsWith('remarks')) }];
}
const scripted = ['edit', 'patch', 'resume-first', 'resume', 'failing-command', 'read-only-write', 'cancelled'];

const ofGrok: Record<string, Expected> = {
  answer: { events: ['session', 'says The answer is forty-two.', 'usage 120/20/30'], ends: 'The answer is forty-two.' },
  think: { events: ['session', 'says Thought it through: yes.', 'usage 120/20/30'], ends: 'Thought it through: yes.' },
  edit: { events: ['session', ...writesNote, 'usage 240/40/60'], ends: noteDone },
  patch: {
    events: ['session', 'starts write /workspace/patched.txt', 'tool failed', 'usage 120/20/30'],
    ends: ['exited', /wanted an approval that nobody could give.*more access/],
  },
  'not-approved': {
    events: [...['session', ...writesNote.slice(0, 2)], 'tool failed', 'usage 120/20/30'],
    ends: ['exited', /wanted an approval/],
  },
  'resume-first': {
    events: ['session', 'says The answer is forty-two.', 'usage 120/20/30'],
    ends: 'The answer is forty-two.',
  },
  resume: {
    request: { resume: { id: 'x' } },
    events: ['session', 'says I have seen 2 user turn(s).', 'usage 120/20/30'],
    ends: 'I have seen 2 user turn(s).',
  },
  'read-only-write': {
    events: [
      'session',
      'starts echo breached > breach.txt',
      'tool failed',
      'starts write /workspace/breach.txt',
      'tool failed',
      `says ${triedTwice}`,
      'usage 360/60/90',
    ],
    ends: triedTwice,
  },
  'sandbox-does-not-hold': {
    events: [
      'session',
      'starts echo breached > breach.txt',
      'tool ok',
      'starts write /workspace/breach.txt',
      'tool ok',
      'modified breach.txt',
      `says ${triedTwice}`,
      'usage 360/60/90',
    ],
    ends: triedTwice,
  },
  'failing-command': {
    events: [
      'session',
      'starts echo "no such target" >&2; exit 3',
      'tool failed',
      'says The command failed with exit code 3.',
      'usage 240/40/60',
    ],
    ends: 'The command failed with exit code 3.',
  },
  'long-text': { events: ['session', saysLong, 'usage 120/20/30'], ends: longAnswer },
  'http-401': { events: ['session'], ends: ['notSignedIn', /`grok login`.*Incorrect API key provided\.$/] },
  'http-403': { events: ['session'], ends: ['notSignedIn', /may not use the service/] },
  'http-404': { events: ['session'], ends: ['badRequest', /`grok models`/] },
  'http-429': { events: ['session'], ends: ['rateLimited', /Wait a minute/] },
  'http-500': { events: ['session'], ends: ['environment', /has trouble/] },
  'usage-limit': { events: ['session'], ends: ['rateLimited', /used up/] },
  quota: { events: ['session'], ends: ['rateLimited', /used up.*quota/] },
  'unknown-model': { events: ['session'], ends: ['badRequest', /unknown model id/] },
  'cut-stream': { events: ['session', 'says This is where it'], ends: ['environment', /has trouble/] },
  'bad-resume': { events: [], ends: ['badRequest', /does not know this session/] },
  cancelled: { events: ['session', grandchild], ends: ['exited', /signal SIGINT/] },
};

const ofClaude: Record<string, Expected> = {
  answer: { events: ['session', 'says The answer is forty-two.', 'usage 140/20/30'], ends: 'The answer is forty-two.' },
  think: { events: ['session', 'says Thought it through: yes.', 'usage 140/20/30'], ends: 'Thought it through: yes.' },
  edit: { events: ['session', ...writesNote, 'usage 280/40/60'], ends: noteDone },
  patch: {
    events: [
      'session',
      'starts Write /workspace/patched.txt',
      'tool ok',
      'added patched.txt',
      'says Done: patched.txt has two lines.',
      'usage 280/40/60',
    ],
    ends: 'Done: patched.txt has two lines.',
  },
  'resume-first': {
    events: ['session', 'says The answer is forty-two.', 'usage 140/20/30'],
    ends: 'The answer is forty-two.',
  },
  resume: {
    request: { resume: { id: 'x' } },
    events: ['session', 'says I have seen 2 user turn(s).', 'usage 140/20/30'],
    ends: 'I have seen 2 user turn(s).',
  },
  'read-only-write': {
    events: [
      'session',
      'starts echo breached > breach.txt',
      'tool failed',
      'starts Write /workspace/breach.txt',
      'tool failed',
      `says ${triedTwice}`,
      'usage 420/60/90',
    ],
    ends: triedTwice,
  },
  'failing-command': {
    events: [
      'session',
      'starts echo "no such target" >&2; exit 3',
      'tool failed',
      'says The command failed with exit code 3.',
      'usage 280/40/60',
    ],
    ends: 'The command failed with exit code 3.',
  },
  'permission-allowed': { events: ['session', ...writesNote, 'usage 280/40/60'], ends: noteDone },
  'permission-denied': {
    events: [
      'session',
      ...writesNote.map((each) => each.replace('tool ok', 'tool failed')),
      'usage 280/40/60',
      'unasked Claude Code was not allowed to use Bash.',
    ],
    ends: noteDone,
  },
  question: {
    events: [
      'session',
      'starts AskUserQuestion',
      'tool failed',
      'says What came back: The person said no.',
      'usage 280/40/60',
      'unasked Claude Code was not allowed to use AskUserQuestion.',
    ],
    ends: 'What came back: The person said no.',
  },
  'long-text': { events: ['session', saysLong, 'usage 140/20/30'], ends: longAnswer },
  'http-401': {
    events: ['session', 'retries Attempt 1 of 1 failed: authentication_failed (401)'],
    ends: ['notSignedIn', /`\/login`.*Invalid API key/],
  },
  'http-403': { events: ['session'], ends: ['notSignedIn', /may not use the service/] },
  'http-404': { events: ['session'], ends: ['badRequest', /cannot use this model/] },
  'http-429': {
    events: ['session', 'retries Attempt 1 of 1 failed: rate_limit (429)'],
    ends: ['rateLimited', /Wait a minute/],
  },
  'http-500': {
    events: ['session', 'retries Attempt 1 of 1 failed: server_error (500)'],
    ends: ['environment', /has trouble/],
  },
  'http-529': {
    events: ['session', 'retries Attempt 1 of 1 failed: overloaded (529)'],
    ends: ['environment', /Overloaded/],
  },
  'usage-limit': {
    events: ['session', 'retries Attempt 1 of 1 failed: rate_limit (429)'],
    ends: ['rateLimited', /used up/],
  },
  quota: { events: ['session'], ends: ['rateLimited', /Credit balance is too low/] },
  'cut-stream': {
    events: ['session', 'retries Attempt 1 of 1 failed: unknown'],
    ends: ['environment', /Check the network/],
  },
  'bad-resume': { events: [], ends: ['badRequest', /in this folder.*No conversation found/] },
  cancelled: {
    events: ['session', grandchild, 'tool failed', 'usage 140/20/30'],
    ends: ['exited', /could not finish the task\. Try again, or choose another engine\.$/],
  },
  interrupted: {
    events: ['session', grandchild, 'tool failed', 'usage 140/20/30'],
    ends: ['exited', /could not finish/],
  },
};

function checkEnd(outcome: Outcome, ends: Expected['ends']): void {
  if (typeof ends === 'string') {
    assert.deepEqual(outcome, { status: 'completed', text: ends });
    return;
  }
  assert.ok(outcome.status === 'failed', JSON.stringify(outcome));
  assert.equal(outcome.reason, ends[0]);
  assert.match(outcome.message, ends[1]);
}

const tables: readonly [Engine, Record<string, Expected>][] = [
  [codex, { ...ofCodex, ...Object.fromEntries(scripted.map(ofKnownModel)) }],
  [grok, ofGrok],
  [claude, ofClaude],
];

for (const [engine, table] of tables) {
  describe(`the recordings of ${engine.title}`, () => {
    it('are all played here', () => {
      assert.deepEqual(recordingNames(engine.id), Object.keys(table).sort());
    });

    for (const [name, { events, ends, request, mayHideRefusals }] of Object.entries(table)) {
      it(`mean what they must: ${name}`, () => {
        const replayed = replay(engine, readRecording(engine.id, name), aRequest(request));
        const seen = replayed.events.map(inShort);
        const counted = mayHideRefusals ? seen.filter((each) => !/^starts |^tool failed$/.test(each)) : seen;
        assert.deepEqual(counted, events);
        checkEnd(replayed.outcome, ends);
      });
    }
  });
}
