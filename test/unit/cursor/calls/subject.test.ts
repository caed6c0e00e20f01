import assert from 'node:assert/strict';
import type { RequestSubject } from '../../../../src/protocol/request.ts';
import { questionsOf } from '../../../../src/cursor/calls/questions.ts';
import { fieldsOf, subjectOf } from '../../../../src/cursor/calls/subject.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../src/cursor/store/json.ts';
import { parseMessage, type ToolCall } from '../../../../src/cursor/store/message.ts';
import { assistantMessage } from '../../../support/cursorStore/messages.ts';

function call(toolName: string, args: Json, more: Partial<ToolCall> = {}): ToolCall {
  return { toolCallId: 'id', toolName, args, otherFields: {}, cut: false, ...more };
}

/** As it comes out of a store. */
function parsed(json: string): ToolCall {
  const message = parseMessage(assistantMessage([JSON.parse(json)], 5));
  return message?.calls[0] ?? assert.fail('no call');
}

function toObject(args: Json): JsonObject {
  return isJsonObject(args) ? args : assert.fail('no object');
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function fields(each: ToolCall): Record<string, string> {
  return Object.fromEntries(fieldsOf(each).map(({ name, value }) => [name, value]));
}

const patch =
  '*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n@@\n-a\n+b\n*** Add File: c d.txt\n+x\n*** Delete File: src/a.ts\n*** End Patch';
const ticket = { labels: ['bug'], title: 'Broken' };

const known: [ToolCall, RequestSubject][] = [
  [call('Shell', { command: 'make' }), { kind: 'command', command: 'make', folder: undefined }],
  [call('Shell', { command: 'make', working_directory: '/srv' }), { kind: 'command', command: 'make', folder: '/srv' }],
  [call('Write', { path: 'a.ts', contents: '' }), { kind: 'write', path: 'a.ts', contents: '' }],
  [call('Write', { file_path: 'a.ts', content: 'x' }), { kind: 'write', path: 'a.ts', contents: 'x' }],
  [
    call('StrReplace', { path: 'a.ts', old_string: 'a', new_string: '' }),
    { kind: 'replace', path: 'a.ts', before: 'a', after: '' },
  ],
  [
    call('Edit', { path: 'a.ts', oldText: 'a', newText: 'b' }),
    { kind: 'replace', path: 'a.ts', before: 'a', after: 'b' },
  ],
  [call('ApplyPatch', patch), { kind: 'patch', paths: ['src/a.ts', 'src/b.ts', 'c d.txt'], patch }],
  [call('ApplyPatch', { patch }), { kind: 'patch', paths: ['src/a.ts', 'src/b.ts', 'c d.txt'], patch }],
  [call('ApplyPatch', 'no patch at all'), { kind: 'patch', paths: [], patch: 'no patch at all' }],
  [call('Delete', { path: 'старое.md' }), { kind: 'delete', path: 'старое.md' }],
  [call('WebFetch', { url: 'https://a.example/' }), { kind: 'fetch', url: 'https://a.example/' }],
  [call('WebSearch', { search_term: 'a b' }), { kind: 'search', query: 'a b' }],
  [call('WebSearch', { query: 'a b' }), { kind: 'search', query: 'a b' }],
  [call('delete', { server: 's', path: 'a' }), { kind: 'mcpTool', server: 's', tool: 'delete', input: '' }],
  [
    call('CallMcpTool', { server: 'tracker', toolName: 'create', arguments: ticket }),
    { kind: 'mcpTool', server: 'tracker', tool: 'create', input: JSON.stringify(ticket, undefined, 2) },
  ],
  [call('create', { server: 'tracker' }), { kind: 'mcpTool', server: 'tracker', tool: 'create', input: '' }],
  [
    call('SwitchMode', { target_mode_id: 'agent', explanation: 'to build' }),
    { kind: 'modeSwitch', mode: 'agent', explanation: 'to build' },
  ],
  [call('Frobnicate', { a: 1 }), { kind: 'other', tool: 'Frobnicate', input: '{\n  "a": 1\n}' }],
  [call('Frobnicate', 'as text'), { kind: 'other', tool: 'Frobnicate', input: 'as text' }],
];

describe('what a call wants to do', () => {
  for (const [each, subject] of known) {
    it(`${each.toolName} ${JSON.stringify(each.args).slice(0, 60)}`, () => {
      assert.deepEqual(subjectOf(each), subject);
    });
  }

  it('is told in full when the arguments are not as they are known to be', () => {
    for (const [tool, args] of [
      ['Shell', { command: ['rm', '-rf'] }],
      ['Shell', 'ls'],
      ['Write', { path: 'a.ts' }],
      ['Edit', { path: 'a.ts', old_string: 'a' }],
      ['Delete', null],
      ['WebFetch', [1, 2]],
      ['ApplyPatch', { patch: 5 }],
    ] as const) {
      const subject = subjectOf(call(tool, args));
      assert.ok(subject.kind === 'other');
      assert.equal(subject.tool, tool);
      assert.equal(subject.input, typeof args === 'string' ? args : JSON.stringify(args, undefined, 2));
    }
  });

  it('leaves no part of a call out', () => {
    const args = {
      command: 'make',
      cwd: '/a',
      working_directory: '/b',
      timeout: 5,
      nested: { deep: ['x'] },
      isBackground: true,
    };
    assert.deepEqual(fields(call('Shell', args, { otherFields: { providerOptions: { hidden: 'y' } } })), {
      cwd: '/a',
      timeout: '5',
      nested: '{\n  "deep": [\n    "x"\n  ]\n}',
      isBackground: 'true',
      tool: 'Shell',
      providerOptions: '{\n  "hidden": "y"\n}',
      toolCallId: 'id',
    });
    assert.deepEqual(fields(call('ApplyPatch', patch)), { tool: 'ApplyPatch', toolCallId: 'id' });
    assert.deepEqual(fields(call('Unknown', { a: 1 })), { toolCallId: 'id' });
    const two = { server: 's', arguments: { a: 1 }, args: { b: 2 }, tool: 't', name: 'other' };
    assert.deepEqual(Object.keys(fields(call('CallMcpTool', two))), ['args', 'name', 'tool', 'toolCallId']);
    assert.match(fields(call('Shell', args, { cut: true })).note ?? '', /too deeply/);
  });

  it('says everything for every kind: no text of the arguments is lost', () => {
    for (const [each] of known) {
      const args: Json =
        typeof each.args === 'string' ? each.args : { ...toObject(each.args), 'extra-name': 'extra-text' };
      const whole = call(each.toolName, args);
      const subject = Object.values(subjectOf(whole)).flat().join('\n');
      const shown = [subject, ...fieldsOf(whole).map(({ name, value }) => `${name} ${value}`)].join('\n');
      for (const text of textsIn(args)) assert.ok(shown.includes(text), `${each.toolName}: ${text}`);
      if (typeof args !== 'string') assert.match(shown, /extra-name/);
    }
  });

  it('takes hostile names for what they are', () => {
    const hostile = parsed(
      '{"type":"tool-call","toolCallId":"a\\nb","toolName":"Shell","args":{"__proto__":{"command":"hidden"},"constructor":"c","command":"ls"},"__proto__":{"x":1},"toString":"t"}',
    );
    assert.deepEqual(subjectOf(hostile), { kind: 'command', command: 'ls', folder: undefined });
    assert.deepEqual(
      fieldsOf(hostile).map(({ name }) => name),
      ['__proto__', 'constructor', 'tool', '__proto__', 'toString', 'toolCallId'],
    );
    assert.equal(
      subjectOf(parsed('{"type":"tool-call","toolCallId":"a","toolName":"__proto__","args":{}}')).kind,
      'other',
    );
    const onlyProto = parsed(
      '{"type":"tool-call","toolCallId":"a","toolName":"Shell","args":{"__proto__":{"command":"ls"}}}',
    );
    assert.equal(subjectOf(onlyProto).kind, 'other');
  });

  it('copes with what is deep or long', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const nested = parsed(`{"type":"tool-call","toolCallId":"a","toolName":"X","args":{"deep":${deep}}}`);
    assert.ok(fieldsOf(nested).some(({ name }) => name === 'note'));
    const long = 'x'.repeat(5_000_000);
    const subject = subjectOf(call('Shell', { command: long }));
    assert.ok(subject.kind === 'command' && subject.command === long);
    const lines = '*** Update File: a\n'.repeat(100_000);
    assert.deepEqual(subjectOf(call('ApplyPatch', lines)), { kind: 'patch', paths: ['a'], patch: lines });
  });
});

describe('the form of a question', () => {
  const question = { id: 'q', prompt: 'Which?', options: [{ id: 'o', label: 'a' }] };

  it('is read from its call alone', () => {
    assert.deepEqual(questionsOf(call('AskQuestion', { title: 'Branch', questions: [question] })), {
      title: 'Branch',
      questions: [{ prompt: 'Which?', options: ['a'], allowsMultiple: false }],
    });
    assert.equal(questionsOf(call('Shell', { questions: [question] })), undefined);
  });

  it('is empty when there is nothing to answer', () => {
    for (const args of [null, 'text', {}, { questions: 'x' }, { questions: [], title: 5 }]) {
      assert.deepEqual(questionsOf(call('AskQuestion', args)), { title: '', questions: [] });
    }
  });

  it('keeps what its questions do not show among the fields', () => {
    const form = fields(call('AskQuestion', { title: 'Branch', questions: [question], hidden: 'x' }));
    assert.deepEqual(Object.keys(form), ['questions', 'hidden', 'toolCallId']);
    assert.match(form.questions ?? '', /"id": "o"/);
    assert.equal(fields(call('AskQuestion', 'as text')).args, 'as text');
  });
});
