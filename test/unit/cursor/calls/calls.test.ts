import assert from 'node:assert/strict';
import { canGate } from '../../../../src/cursor/calls/gates.ts';
import { requestHash } from '../../../../src/cursor/calls/requestHash.ts';
import { versionOf } from '../../../../src/cursor/calls/version.ts';
import type { Json } from '../../../../src/cursor/store/json.ts';
import type { ToolCall } from '../../../../src/cursor/store/message.ts';

describe('whether a call may wait for a person', () => {
  it('is a matter of its tool; whatever is not known may', () => {
    for (const name of ['Read', 'Grep', 'Glob', 'TodoWrite', 'Task', 'Await']) assert.equal(canGate(name), false, name);
    for (const name of ['Shell', 'Write', 'WebFetch', 'CallMcpTool', 'TodoistDelete', 'read', '', '__proto__']) {
      assert.equal(canGate(name), true, name);
    }
  });
});

describe('the version of cursor-agent', () => {
  const home = '/home/a b/.local/share/cursor-agent/versions';
  const script = (version: string): string[] => [
    'cursor-agent',
    '--use-system-ca',
    `${home}/${version}/index.js`,
    '-f',
  ];

  it('is told by where the program or its script lies, and whether it was checked', () => {
    for (const [version, isChecked] of [
      ['2026.06.01-abc', false],
      ['2026.06.02-abc', true],
      ['2026.09.18-9a7762b', true],
      ['2026.10.01', true],
      ['2026.10.02-abc', false],
      ['2026.10.010', false],
      ['nightly', false],
    ] as const) {
      assert.deepEqual(versionOf(script(version)), { text: version, isChecked }, version);
    }
    assert.deepEqual(versionOf([`${home}/2026.07.01-a/cursor-agent`]), { text: '2026.07.01-a', isChecked: true });
    const windows = ['C:\\x\\cursor-agent\\versions\\2026.07.01-a\\node.exe', '--resume'];
    assert.deepEqual(versionOf(windows), { text: '2026.07.01-a', isChecked: true });
  });

  it('is not known from anything else', () => {
    const path = `${home}/2026.07.01-a/index.js`;
    for (const argv of [[], ['cursor-agent'], ['cursor-agent', 'fix', path], ['cursor-agent', `look at ${path}`]]) {
      assert.equal(versionOf(argv), undefined, argv.join(' '));
    }
    assert.equal(versionOf(['node', `${home}/${'x'.repeat(100)}/index.js`]), undefined);
    assert.equal(versionOf(['node', `${home}/2026\u001b[31m/index.js`]), undefined);
  });
});

describe('the hash of a call', () => {
  const call = (args: Json, more: Partial<ToolCall> = {}): ToolCall => ({
    toolCallId: 'id',
    toolName: 'Shell',
    args,
    otherFields: {},
    cut: false,
    ...more,
  });
  const json = (text: string): Json => JSON.parse(text) as Json;

  it('is the same for the same, in whatever order it is named', () => {
    const hash = requestHash(call({ a: [1, { b: 2, c: null }], d: 'x' }));
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.equal(requestHash(call({ d: 'x', a: [1, { c: null, b: 2 }] })), hash);
  });

  it('is another one when anything is different', () => {
    const calls = [
      call({ command: 'a' }),
      call({ command: 'b' }),
      call({ command: 'a' }, { toolName: 'Bash' }),
      call({ command: 'a' }, { otherFields: { x: 1 } }),
      call({ command: ['a'] }),
      call([{ command: 'a' }]),
      call('{"command":"a"}'),
      call({ command: 'a', more: null }),
      call(['a', 'b']),
      call(['b', 'a']),
      call(null),
      call(json('{"command":"a","__proto__":{"x":1}}')),
      call(json('{"command":"a","__proto__":{"x":2}}')),
    ];
    assert.equal(new Set(calls.map(requestHash)).size, calls.length);
  });
});
