import assert from 'node:assert/strict';
import type { Look } from '../../../../src/keys/target.ts';
import { isCursorAgent } from '../../../../src/vscode/terminals/agentPanes.ts';
import { type TrustCandidate, TrustWatch } from '../../../../src/vscode/terminals/trustWatch.ts';
import { FakeClock } from '../../../support/fakes/clock.ts';

const trust = ['', ' Workspace Trust Required', '', '  [a] Trust this workspace', '  [q] Quit', ''];
const idle = ['', ' → Plan, search, build anything', '', '  Auto', ''];

function watchTerminals() {
  const clock = new FakeClock();
  const screens = new Map<string, readonly string[]>();
  const asked: string[] = [];
  const looks: string[] = [];
  const candidate = (id: string): TrustCandidate => ({
    target: {
      id,
      title: id,
      look: () => {
        looks.push(id);
        return Promise.resolve<Look>({ state: 'ready', rows: screens.get(id) ?? [] });
      },
    },
    place: { kind: 'owned', id },
    folder: '/work',
  });
  const watch = new TrustWatch({
    candidates: () => Promise.resolve([...screens.keys()].map(candidate)),
    onDidAsk: ({ target }) => asked.push(target.id),
    clock,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return { watch, screens, asked, looks, pass };
}

describe('TrustWatch', () => {
  it('tells once of each terminal that asks whether to trust its folder', async () => {
    const { screens, asked, pass } = watchTerminals();
    screens.set('one', trust).set('two', idle);
    for (let round = 0; round < 5; round++) await pass(7000);
    assert.deepEqual(asked, ['one']);
  });

  it('waits for a screen that is not painted yet', async () => {
    const { screens, asked, pass } = watchTerminals();
    screens.set('one', ['']);
    await pass(0);
    await pass(7000);
    screens.set('one', trust);
    await pass(7000);
    assert.deepEqual(asked, ['one']);
  });

  it('looks no more once the agent has got past it', async () => {
    const { screens, looks, asked, pass } = watchTerminals();
    screens.set('one', trust);
    await pass(0);
    screens.set('one', idle);
    await pass(7000);
    const before = looks.length;
    screens.set('one', trust);
    for (let round = 0; round < 5; round++) await pass(7000);
    assert.equal(looks.length, before);
    assert.deepEqual(asked, ['one']);
  });

  it('gives up on a screen that it never comes to know', async () => {
    const { screens, looks, pass } = watchTerminals();
    screens.set('one', ['$ ']);
    for (let round = 0; round < 100; round++) await pass(7000);
    assert.equal(looks.length, 60);
  });

  it('looks soon at a terminal that has just come, and never after its end', async () => {
    const { watch, screens, asked, pass } = watchTerminals();
    await pass(0);
    screens.set('one', trust);
    watch.lookSoon();
    await pass(300);
    assert.deepEqual(asked, ['one']);
    watch.dispose();
    screens.set('two', trust);
    watch.lookSoon();
    await pass(10_000);
    assert.deepEqual(asked, ['one']);
  });
});

describe('isCursorAgent', () => {
  it('knows the agent by its name or its folder', () => {
    for (const argv of [
      ['cursor-agent'],
      ['/home/me/.local/bin/cursor-agent', '--resume', 'x'],
      ['/home/me/.local/bin/agent'],
      ['/usr/bin/node', '/home/me/.local/share/cursor-agent/versions/2026.08.04/index.js'],
    ])
      assert.ok(isCursorAgent(argv), argv.join(' '));
    for (const argv of [[], ['bash'], ['vim', 'cursor-agent.md'], ['ssh-agent'], ['node', 'index.js']])
      assert.ok(!isCursorAgent(argv), argv.join(' '));
  });
});
