import assert from 'node:assert/strict';
import * as z from 'zod';
import { claude } from '../../../src/engines/claude.ts';
import { codex } from '../../../src/engines/codex.ts';
import { cursor } from '../../../src/engines/cursor.ts';
import type { Engine, RunRequest } from '../../../src/engines/engine.ts';
import { grok } from '../../../src/engines/grok.ts';
import { aRequest, inShort, replay, type Replayed } from './recordings.ts';

const cleanEnd = { code: 0, signal: null, stderrTail: '' };

function play(engine: Engine, lines: readonly unknown[], over: Partial<RunRequest> = {}): Replayed {
  return replay(engine, { lines: lines.map((each) => JSON.stringify(each)), how: cleanEnd }, aRequest(over));
}

const failedAs = ({ outcome }: Replayed): string => (outcome.status === 'failed' ? outcome.reason : outcome.status);
const messageOf = ({ outcome }: Replayed): string => (outcome.status === 'failed' ? outcome.message : '');

describe('a conversation with Codex', () => {
  const item = (type: string, rest: object, event = 'item.completed') => ({
    type: event,
    item: { id: 'i', type, ...rest },
  });
  const turnEnd = (input = 10) => ({
    type: 'turn.completed',
    usage: { input_tokens: input, cached_input_tokens: 4, output_tokens: 2 },
  });

  it('takes the last of several messages for the answer', () => {
    const { outcome } = play(codex, [
      item('agent_message', { text: 'one' }),
      item('agent_message', { text: 'two' }),
      turnEnd(),
    ]);
    assert.deepEqual(outcome, { status: 'completed', text: 'two' });
  });

  it('counts the tokens of one run, and never less than none', () => {
    const threadUsage = { input: 100, cachedInput: 10, output: 1 };
    const { events } = play(codex, [turnEnd(130)], { resume: { id: 'x', threadUsage } });
    assert.deepEqual(events.map(inShort), ['usage 30/0/1 of 130/4/2']);
  });

  it('shows a lost connection as a retry and explains the end by it', () => {
    const lost = 'Reconnecting... waiting for network (Connection failed: error sending request)';
    const replayed = play(codex, [{ type: 'error', message: lost }]);
    assert.deepEqual(replayed.events, [{ kind: 'retrying', detail: lost }]);
    assert.equal(failedAs(replayed), 'environment');
  });

  it('shows commands without the shell around them', () => {
    const title = (command: string) =>
      play(codex, [item('command_execution', { command }, 'item.started')]).events.map(inShort);
    assert.deepEqual(title(`/bin/bash -lc "echo \\"a b\\" '\\$x'"`), [`starts echo "a b" '$x'`]);
    assert.deepEqual(title(`/bin/zsh -lc 'rg -n "x" src'`), ['starts rg -n "x" src']);
    assert.deepEqual(title('/usr/bin/bash -lc ls'), ['starts ls']);
    assert.deepEqual(title(`bash -lc 'it'"'"'s'`), ["starts it's"]);
    assert.deepEqual(title('cargo test'), ['starts cargo test']);
  });

  it('keeps the commands apart that a script runs side by side', () => {
    const command = (id: string, command: string, status: string, exit_code: number | null) => ({
      type: status === 'in_progress' ? 'item.started' : 'item.completed',
      item: { id, type: 'command_execution', command, aggregated_output: '', exit_code, status },
    });
    const { events } = play(codex, [
      command('item_0', 'make', 'in_progress', null),
      command('item_1', 'sleep 1', 'in_progress', null),
      command('item_0', 'make', 'failed', 4),
      command('item_1', 'sleep 1', 'completed', 0),
    ]);
    assert.deepEqual(events, [
      { kind: 'toolStarted', id: 'item_0', title: 'make' },
      { kind: 'toolStarted', id: 'item_1', title: 'sleep 1' },
      { kind: 'toolEnded', id: 'item_0', ok: false },
      { kind: 'toolEnded', id: 'item_1', ok: true },
    ]);
  });

  it('shows what it has sub-agents do', () => {
    const call = { tool: 'spawn_agent', prompt: 'Read the\nchangelog', receiver_thread_ids: [], agents_states: {} };
    const { events } = play(codex, [
      item('collab_tool_call', { ...call, status: 'in_progress' }, 'item.started'),
      item('collab_tool_call', { ...call, status: 'completed' }),
      item('collab_tool_call', { tool: 'wait_agent', prompt: null, status: 'failed' }),
    ]);
    assert.deepEqual(events.map(inShort), ['starts spawn agent Read the changelog', 'tool ok', 'tool failed']);
  });

  it('shows tools it never saw by their kind', () => {
    const { events } = play(codex, [
      item('web_search', { query: 'node 24' }),
      item('mcp_tool_call', { server: 'docs', tool: 'find', status: 'failed' }),
      item('todo_list', { items: [] }),
      item('reasoning', { text: 'hm' }),
    ]);
    assert.deepEqual(events.map(inShort), ['starts web search node 24', 'tool ok', 'tool failed']);
  });

  it('reports changes that were made, relative to the folder, and none that failed', () => {
    const changes = [
      { path: '/workspace/a/b.ts', kind: 'update' },
      { path: '/elsewhere/c.ts', kind: 'delete' },
      { path: 'd.ts', kind: 'add' },
    ];
    const made = play(codex, [item('file_change', { changes, status: 'completed' })]).events.map(inShort);
    assert.deepEqual(made.slice(2), ['modified a/b.ts', 'deleted /elsewhere/c.ts', 'added d.ts']);
    const failed = play(codex, [item('file_change', { changes, status: 'failed' })]).events.map(inShort);
    assert.deepEqual(failed.slice(1), ['tool failed']);
  });

  it('classifies what only standard error tells', () => {
    const reason = (stderrTail: string) => {
      const { outcome } = replay(codex, { lines: [], how: { code: 1, signal: null, stderrTail } });
      return outcome.status === 'failed' ? outcome.reason : '';
    };
    assert.equal(
      reason('Error finding codex home: CODEX_HOME points to "/x", but that path does not exist'),
      'environment',
    );
    assert.equal(reason('Error: thread 0199 already has an active writer (code -32600)'), 'environment');
    assert.equal(reason("error: unexpected argument '--x' found\n\nUsage: codex exec"), 'environment');
    assert.equal(reason('Reading prompt from stdin...\nNo prompt provided via stdin.'), 'badRequest');
    assert.equal(
      reason('Error: failed to initialize in-process app-server client: Read-only file system (os error 30)'),
      'environment',
    );
    assert.equal(reason('Input exceeds the maximum length of 1048576 characters.'), 'badRequest');
  });

  it('reads the sentence out of a server’s JSON', () => {
    const message = JSON.stringify({ error: { message: 'Unsupported value: effort', type: 'invalid_request_error' } });
    const replayed = play(codex, [{ type: 'turn.failed', error: { message } }]);
    assert.equal(failedAs(replayed), 'badRequest');
    assert.match(messageOf(replayed), /Codex said: Unsupported value: effort$/);
    assert.equal(
      failedAs(play(codex, [{ type: 'turn.failed', error: { message: 'Missing environment variable: `K`.' } }])),
      'environment',
    );
  });
});

const controlAnswer = z.object({
  type: z.literal('control_response'),
  response: z.object({
    subtype: z.string(),
    request_id: z.string(),
    response: z
      .object({ behavior: z.string(), message: z.string().optional(), updatedInput: z.unknown() })
      .partial()
      .optional(),
  }),
});

describe('a conversation with Claude Code', () => {
  const ask = (tool: string, input: unknown = {}) => ({
    type: 'control_request',
    request_id: 'r1',
    request: { subtype: 'can_use_tool', tool_name: tool, input },
  });
  const result = (rest: object = {}) => ({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'Done.',
    ...rest,
  });
  const consent = { unsandboxedConsent: true } as const;

  function answerTo(request: unknown, over: Partial<RunRequest> = {}) {
    const [, action] = play(claude, [request], over).actions;
    assert.ok(action?.kind === 'write');
    return controlAnswer.parse(JSON.parse(action.line)).response;
  }

  it('allows by access and consent', () => {
    const behaviour = (tool: string, over: Partial<RunRequest>) => answerTo(ask(tool), over).response?.behavior;
    assert.equal(behaviour('Read', {}), 'deny');
    assert.equal(behaviour('Bash', consent), 'deny');
    assert.equal(behaviour('Bash', { access: 'workspaceWrite' }), 'deny');
    assert.equal(behaviour('Bash', { access: 'workspaceWrite', ...consent }), 'allow');
    assert.equal(behaviour('Write', { access: 'workspaceWrite', ...consent }), 'deny');
    assert.equal(behaviour('Write', { access: 'full', ...consent }), 'allow');
    assert.equal(behaviour('WebFetch', { web: true }), 'allow');
    assert.equal(behaviour('WebFetch', { access: 'full', ...consent }), 'deny');
    assert.equal(behaviour('AskUserQuestion', { access: 'full', ...consent }), 'deny');
  });

  it('allows what was asked, unchanged, and says why it denies', () => {
    const input = { command: 'npm test' };
    assert.deepEqual(answerTo(ask('Bash', input), { access: 'full', ...consent }).response?.updatedInput, input);
    assert.match(answerTo(ask('Bash')).response?.message ?? '', /unattended/);
    assert.match(answerTo(ask('AskUserQuestion')).response?.message ?? '', /Nobody can be asked.*Decide/);
  });

  it('answers every control request, so that none waits for ever', () => {
    assert.equal(
      answerTo({ type: 'control_request', request_id: 'h1', request: { subtype: 'hook_callback' } }).subtype,
      'error',
    );
  });

  it('closes its input with the result and interrupts by protocol before', () => {
    assert.deepEqual(play(claude, [result()]).actions.slice(1), [{ kind: 'endInput' }]);
    const [interrupt] = claude.conversation(aRequest()).interrupt();
    assert.match(interrupt?.kind === 'write' ? interrupt.line : '', /"subtype":"interrupt"/);
  });

  it('goes by is_error, not by the subtype', () => {
    const replayed = play(claude, [result({ is_error: true, api_error_status: 401, result: 'Nope.' })]);
    assert.equal(failedAs(replayed), 'notSignedIn');
    assert.match(messageOf(replayed), /Claude Code said: Nope\.$/);
    assert.equal(
      failedAs(play(claude, [result({ is_error: true, result: 'Not logged in · Please run /login' })])),
      'notSignedIn',
    );
  });

  it('gives up on a refused key at the third try instead of the tenth', () => {
    const retry = (attempt: number, status: number, error: string) => ({
      type: 'system',
      subtype: 'api_retry',
      attempt,
      max_retries: 10,
      error_status: status,
      error,
    });
    const refused = [1, 2, 3].map((attempt) => retry(attempt, 401, 'authentication_failed'));
    assert.equal(failedAs(play(claude, refused.slice(0, 2))), 'badOutput');
    const replayed = play(claude, refused);
    assert.equal(failedAs(replayed), 'notSignedIn');
    assert.deepEqual(replayed.actions.slice(1), [{ kind: 'endInput' }]);
    assert.equal(
      failedAs(
        play(
          claude,
          [5, 6, 7].map((attempt) => retry(attempt, 529, 'overloaded')),
        ),
      ),
      'badOutput',
    );
  });

  it('takes no sub-agent’s words for the answer, but shows what it does', () => {
    const bySubagent = (content: object[]) => ({ type: 'assistant', message: { content }, parent_tool_use_id: 't0' });
    const { events, outcome } = play(claude, [
      { type: 'assistant', message: { content: [{ type: 'text', text: 'Mine.' }] }, parent_tool_use_id: null },
      bySubagent([{ type: 'text', text: 'Its.' }]),
      bySubagent([{ type: 'tool_use', id: 't1', name: 'Grep', input: { pattern: 'x' } }]),
      { type: 'result', subtype: 'success', is_error: false },
    ]);
    assert.deepEqual(events.map(inShort), ['says Mine.', 'starts Grep x']);
    assert.deepEqual(outcome, { status: 'completed', text: 'Mine.' });
  });

  it('reports a written file when the tool says it is written', () => {
    const use = {
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: '/workspace/a.ts' } }] },
    };
    const end = (isError: boolean) => ({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 't1', is_error: isError }] },
    });
    assert.deepEqual(
      play(claude, [use, end(false)])
        .events.map(inShort)
        .slice(2),
      ['modified a.ts'],
    );
    assert.deepEqual(
      play(claude, [use, end(true)])
        .events.map(inShort)
        .slice(1),
      ['tool failed'],
    );
  });

  it('knows a bad session by what stands on standard error', () => {
    const how = { code: 1, signal: null, stderrTail: 'No conversation found with session ID: 1111' };
    const { outcome } = replay(claude, { lines: [], how });
    assert.equal(outcome.status === 'failed' && outcome.reason, 'badRequest');
  });
});

describe('a conversation with Grok', () => {
  it('takes an error line for the end', () => {
    const message = "Couldn't set model 'nope': Invalid params: \"unknown model id\".";
    assert.equal(failedAs(play(grok, [{ type: 'error', message }])), 'badRequest');
  });

  it('reports a new and a changed file', () => {
    const events = (old: string) => {
      const content = JSON.stringify({ type: 'SearchReplace', EditsApplied: { old_string: old } });
      return play(grok, [
        {
          type: 'assistant',
          message: {
            content: [{ type: 'tool_use', id: 'c', name: 'write', input: { file_path: '/workspace/n.txt' } }],
          },
        },
        { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'c', content, is_error: false }] } },
      ]).events.map(inShort);
    };
    assert.equal(events('')[2], 'added n.txt');
    assert.equal(events('x')[2], 'modified n.txt');
  });

  it('does not take the output of a command for its exit code', () => {
    const end = (content: object) =>
      play(grok, [
        {
          type: 'user',
          message: { content: [{ type: 'tool_result', tool_use_id: 'c', content: JSON.stringify(content) }] },
        },
      ]).events.map(inShort);
    assert.deepEqual(end({ type: 'Bash', output_for_prompt: '{"exit_code":3}', exit_code: 0 }), ['tool ok']);
    assert.deepEqual(end({ type: 'Bash', output_for_prompt: '', exit_code: 3 }), ['tool failed']);
    assert.deepEqual(end({ type: 'Bash', output_for_prompt: '', exit_code: -1 }), ['tool failed']);
  });
});

describe('a conversation with Cursor', () => {
  const call = (subtype: string, kind: string, args: object, outcome?: object) => ({
    type: 'tool_call',
    subtype,
    call_id: 'c1',
    tool_call: { [kind]: { args, ...(outcome && { result: outcome }) } },
  });
  const result = (text: string, rest: object = {}) => ({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: text,
    ...rest,
  });

  it('shows a turn', () => {
    const { events, outcome } = play(cursor, [
      { type: 'system', subtype: 'init', session_id: 'chat-1' },
      { type: 'thinking', subtype: 'delta', text: 'hm' },
      call('started', 'shellToolCall', { command: 'npm test' }),
      call('completed', 'shellToolCall', { command: 'npm test' }, { failure: { exitCode: 1 } }),
      call('started', 'editToolCall', { path: '/workspace/a.ts' }),
      call('completed', 'editToolCall', { path: '/workspace/a.ts' }, { success: {} }),
      { type: 'assistant', message: { content: [{ type: 'text', text: 'Fixed.' }] } },
      result('Fixed.', { usage: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 30, cacheWriteTokens: 5 } }),
    ]);
    assert.deepEqual(events.map(inShort), [
      'session',
      'starts npm test',
      'tool failed',
      'starts edit /workspace/a.ts',
      'tool ok',
      'modified a.ts',
      'says Fixed.',
      'usage 45/30/2',
    ]);
    assert.deepEqual(outcome, { status: 'completed', text: 'Fixed.' });
  });

  it('warns of what Cursor refused without a word', () => {
    const { events } = play(cursor, [
      call('completed', 'shellToolCall', { command: 'rm x' }, { rejected: { reason: '' } }),
    ]);
    assert.deepEqual(events.map(inShort), ['tool failed', 'unasked Cursor was not allowed to do this: rm x']);
  });

  it('flags questions that nobody was asked, once, and never as consent', () => {
    const { events, outcome } = play(cursor, [
      call('completed', 'askQuestionToolCall', {}, { success: { text: 'Questions skipped by the user, continue' } }),
      result('Questions skipped by the user, so I deleted it.'),
    ]);
    const warnings = events.filter(({ kind }) => kind === 'warning');
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]?.kind === 'warning' ? warnings[0].text : '', /nobody saw.*not on anybody’s consent/);
    assert.equal(outcome.status, 'completed');
  });

  it('fails when the folder is not trusted, though the exit code is 0', () => {
    for (const [lines, stderrTail] of [
      [['⚠ Workspace Trust Required'], ''],
      [[], 'Workspace Trust Required\nPass --trust'],
    ] as const) {
      const { outcome } = replay(cursor, { lines, how: { code: 0, signal: null, stderrTail } });
      assert.ok(outcome.status === 'failed');
      assert.equal(outcome.reason, 'environment');
      assert.match(outcome.message, /trust it/);
    }
  });

  it('knows that nobody is signed in by plain text', () => {
    const how = {
      code: 1,
      signal: null,
      stderrTail: "Error: Authentication required. Please run 'agent login' first.",
    };
    const { outcome } = replay(cursor, { lines: [], how });
    assert.match(
      outcome.status === 'failed' ? `${outcome.reason} ${outcome.message}` : '',
      /^notSignedIn .*cursor-agent login/,
    );
  });
});
