import assert from 'node:assert/strict';
import {
  chatsFinding,
  journalFinding,
  type JournalFacts,
  mcpFinding,
  type McpFacts,
} from '../../../../src/vscode/doctor/ownFindings.ts';
import { english } from '../../../support/sampleRequests.ts';

describe('what is found about Cursor’s chats', () => {
  const root = { path: '/home/ada/.cursor', exists: true, unreadable: undefined, chats: 3 };
  it('are there', () => {
    const { state, found } = chatsFinding([root, { ...root, path: '/x', exists: false, chats: 0 }], english);
    assert.deepEqual([state, found], ['ok', ['/home/ada/.cursor: chats: 3']]);
  });
  it('are not there yet: where was looked, and how to begin', () => {
    const finding = chatsFinding([{ ...root, exists: false, chats: 0 }], english);
    const [start] = finding.remedies;
    assert.equal(finding.state, 'optional');
    assert.match(finding.found.join(), /Looked in: \/home\/ada\/\.cursor/);
    assert.equal(start?.kind === 'command' && start.id, 'sallyport.startCursorAgent');
  });
  it('cannot be read', () => {
    const finding = chatsFinding(
      [root, { ...root, path: '/closed folder', unreadable: 'EACCES: /closed folder' }],
      english,
    );
    const [look] = finding.remedies;
    assert.equal(finding.state, 'missing');
    assert.ok(finding.found.includes('EACCES: /closed folder'));
    assert.equal(look?.kind === 'terminal' && look.command, 'ls -ld "/closed folder"');
  });
});

describe('what is found about the tools for chat', () => {
  const offered: McpFacts = {
    ...{ hostHasMcp: true, isTrusted: true, programExists: true, isSwitchedOff: false, tools: 11 },
    addCommand: undefined,
  };
  const look = (facts: Partial<McpFacts>) => mcpFinding({ ...offered, ...facts }, english);
  it('are offered', () => {
    assert.deepEqual([look({}).state, look({}).found], ['ok', ['Tools that chat knows: 11']]);
    assert.match(look({ tools: 0 }).found.join(), /when it first needs it/);
  });
  it('cannot be offered by themselves: another way only where there is one', () => {
    const without = look({ hostHasMcp: false });
    assert.deepEqual([without.state, without.remedies, without.advice], ['warning', [], undefined]);
    const [add] = look({ hostHasMcp: false, addCommand: 'sallyport.addToClient' }).remedies;
    assert.equal(add?.kind === 'command' && add.id, 'sallyport.addToClient');
  });
  it('are switched off: the editor’s setting', () => {
    const [settings] = look({ isSwitchedOff: true }).remedies;
    assert.equal(look({ isSwitchedOff: true }).state, 'missing');
    assert.deepEqual(settings, { kind: 'settings', whose: 'editor', query: 'chat.mcp.access', label: 'Open Settings' });
  });
  it('wait for trust, and for a whole installation', () => {
    assert.equal(look({ isTrusted: false }).state, 'unknown');
    assert.equal(look({ programExists: false }).state, 'missing');
  });
});

describe('what is found about the journal', () => {
  const fineFacts: JournalFacts = { folder: '/state', unwritable: undefined, freeBytes: 5e9, runs: 7 };
  it('works', () => {
    assert.deepEqual(journalFinding(fineFacts, english).found, ['/state', 'Runs recorded: 7']);
    assert.equal(journalFinding({ ...fineFacts, freeBytes: undefined }, english).state, 'ok');
  });
  it('cannot be written, or soon not any more', () => {
    const closed = journalFinding({ ...fineFacts, unwritable: 'EROFS: read-only file system' }, english);
    assert.equal(closed.state, 'missing');
    assert.ok(closed.found.includes('EROFS: read-only file system'));
    const full = journalFinding({ ...fineFacts, freeBytes: 50 * 1024 * 1024 }, english);
    assert.equal(full.state, 'warning');
    assert.ok(full.found.includes('Free: 50 MB'));
  });
});
