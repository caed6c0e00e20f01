import assert from 'node:assert/strict';
import type { Located } from '../../../../src/keys/target.ts';
import { contextWords } from '../../../../src/vscode/agents/agentRow.ts';
import {
  agentRows,
  endedRow,
  expiryOf,
  maxThinkingMs,
  type RowsInput,
} from '../../../../src/vscode/agents/sessionRows.ts';
import { SessionPlaces } from '../../../../src/vscode/agents/sessionPlaces.ts';
import { fakeCall, fakeChat, fakeProcess, readChat } from '../../../support/fakes/chats.ts';
import { command, inSession, sampleNow } from '../../../support/sampleRequests.ts';

const rows = (input: Partial<RowsInput>) =>
  agentRows({ chats: [], requests: [], locatedOf: () => undefined, nowMs: sampleNow, ...input });
const asking = (chatId: string) => inSession(chatId, 'work', 'T', 'tmux %1');
const elsewhere: Located = { kind: 'unreachable', why: 'Not here.', place: { kind: 'process', pids: [1] } };

describe('rows of sessions', () => {
  it('say what each does, those that wait first', () => {
    const written = (ago: number, turn: 'agent' | 'person' | undefined) =>
      readChat({ writtenAtMs: sampleNow - ago, turn });
    const chats = [
      fakeChat('idle'),
      fakeChat('thinking', { state: written(1000, 'agent') }),
      fakeChat('silent', { state: written(maxThinkingMs, 'agent') }),
      fakeChat('unclear', { state: written(1000, undefined) }),
      fakeChat('running', { state: readChat({ pending: [fakeCall('make')] }) }),
      fakeChat('unseen', { session: { state: 'unknown', why: 'hidepid' } }),
      fakeChat('unread', { state: undefined, problem: 'Damaged.' }),
      fakeChat('waiting', { state: readChat({ pending: [fakeCall('make')] }) }),
      fakeChat('maybe', { state: readChat({ pending: [fakeCall('make')] }) }),
      fakeChat('approved', { state: readChat({ pending: [fakeCall('make')] }) }),
    ];
    const requests = [
      command('r1', 'make', asking('waiting')),
      command('r2', 'make', asking('waiting')),
      command('r3', 'make', { ...asking('maybe'), certainty: 'mayBeWaiting' }),
      command('r4', 'make', { ...asking('approved'), delivery: { state: 'running' } }),
    ];
    assert.deepEqual(
      rows({ chats, requests }).map(({ chatId, state, why, waiting, requestId }) => [
        ...[chatId, state, why, waiting, requestId],
      ]),
      [
        ['waiting', 'waiting', undefined, 2, 'r1'],
        ['maybe', 'mayBeWaiting', undefined, 0, 'r3'],
        ['approved', 'working', undefined, 0, undefined],
        ['running', 'working', undefined, 0, undefined],
        ['thinking', 'working', undefined, 0, undefined],
        ['idle', 'idle', undefined, 0, undefined],
        ['silent', 'unknown', undefined, 0, undefined],
        ['unclear', 'unknown', undefined, 0, undefined],
        ['unread', 'unknown', 'Damaged.', 0, undefined],
        ['unseen', 'unknown', 'hidepid', 0, undefined],
      ],
    );
  });

  it('tell of sub-agents with their parent, and of one without a parent by itself', () => {
    const child = (id: string, parent: string, pending = [fakeCall('ls')]) =>
      fakeChat(id, {
        state: readChat({
          pending,
          meta: { latestRootBlobId: undefined, subagentInfo: { parentAgentId: parent, typeName: 'explorer' } },
        }),
      });
    const [parent, orphan, ...others] = rows({
      chats: [fakeChat('parent'), child('child', 'parent'), child('orphan', 'gone', [])],
    });
    assert.deepEqual(others, []);
    assert.deepEqual([parent?.chatId, parent?.state, parent?.subagents], ['parent', 'working', ['explorer']]);
    assert.deepEqual([orphan?.chatId, orphan?.state], ['orphan', 'idle']);
  });

  it('know where the terminal is, and offer what makes sense', () => {
    const [row] = rows({
      chats: [fakeChat('a')],
      requests: [command('r', 'x', asking('a'))],
      locatedOf: () => elsewhere,
    });
    assert.ok(row);
    assert.equal(contextWords(row), 'agent live place request');
    assert.equal(contextWords(endedRow(row)), 'agent ended');
    assert.deepEqual(endedRow(row).processes, []);
  });

  it('say in time that a model has been silent for too long', () => {
    const state = readChat({ turn: 'agent', writtenAtMs: sampleNow - 1000 });
    const [row] = rows({ chats: [fakeChat('a', { state })] });
    assert.ok(row);
    const at = expiryOf(row);
    assert.equal(at, sampleNow - 1000 + maxThinkingMs);
    assert.equal(rows({ chats: [fakeChat('a', { state })], nowMs: at })[0]?.state, 'unknown');
  });
});

describe('places of sessions', () => {
  it('are looked for once each, and again only where nothing was found', async () => {
    const sought: number[] = [];
    const found: Located[] = [elsewhere, { kind: 'unreachable', why: 'Gone.', place: undefined }];
    const places = new SessionPlaces(({ pid }) => {
      sought.push(pid);
      return Promise.resolve(found[sought.length - 1] ?? elsewhere);
    });
    const process = fakeProcess(7);
    let changes = 0;
    places.onDidChange(() => (changes += 1));
    places.seek([process]);
    places.seek([process]);
    assert.equal(places.of(process), undefined);
    await Promise.resolve();
    await Promise.resolve();
    assert.deepEqual(places.of(process), elsewhere);
    places.seek([process]);
    assert.deepEqual([sought, changes], [[7], 1]);
    places.forgetUnreachable();
    places.seek([process]);
    assert.deepEqual(sought, [7, 7]);
    places.seek([]);
    await Promise.resolve();
    await Promise.resolve();
    assert.equal(places.of(process), undefined);
    places.dispose();
  });
});
