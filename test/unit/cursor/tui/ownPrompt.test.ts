import assert from 'node:assert/strict';
import { matches, whosePrompt } from '../../../../src/cursor/tui/ownPrompt.ts';
import { readScreen } from '../../../../src/cursor/tui/prompts.ts';
import { screen } from './screens.ts';

const call = (toolName: string, args: unknown): { toolName: string; args: unknown } => ({ toolName, args });
const shell = (command: string): { toolName: string; args: unknown } => call('Shell', { command });
const branch = { prompt: 'Which branch is to be released?', options: [{ label: 'main' }, { label: 'next' }] };
const checks = {
  question: 'Which checks are to run before it?',
  allowMultiple: true,
  options: [
    { label: 'Unit tests' },
    { label: 'Everything, with the browsers\nthat are installed on this machine' },
    { label: 'None' },
  ],
};
const patch = '*** Begin Patch\n*** Update File: /home/dev/work/site/src/pages/home.ts\n@@\n-a\n+b\n*** End Patch';
const rsync =
  'rsync --archive --delete --exclude .git ./dist/ deploy@web-01.example.org:/srv/site && ssh deploy@web-01.example.org sudo  systemctl reload nginx';
const ticket = { labels: ['bug'], title: 'Broken link on the home page' };

const own: [string, { toolName: string; args: unknown }][] = [
  ['shell', shell('make deploy')],
  ['shell', shell('  make\n  deploy ')],
  ['shell-plain', shell('make deploy')],
  ['boxed', shell('make deploy')],
  ['decision-composer', shell('make deploy')],
  ['shell-listed', shell('cd /srv/site && npm run build')],
  ['shell-wrapped', call('Shell', { command: rsync, working_directory: '/home/dev/work/the site' })],
  ['shell-cut', shell('make && cp -R build/assets /srv/site/assets-next && mv /srv/site/assets-next /srv/site/assets')],
  ['sandbox', shell('curl -sS https://example.org/health')],
  ['write', call('Write', { path: '/home/dev/work/site/src/pages/home.ts', contents: 'x' })],
  ['write', call('StrReplace', { file_path: 'C:\\work\\site\\src\\pages\\home.ts' })],
  ['hook', shell('make deploy')],
  ['write-bare', call('Write', { path: '/home/dev/work/site/src/pages/home.ts' })],
  ['write', call('ApplyPatch', patch)],
  ['write-diff', call('ApplyPatch', { patch })],
  ['write-old-reject', call('Write', { path: 'src/pages/home.ts' })],
  ['delete', call('Delete', { path: '/home/dev/work/site/notes/old.md' })],
  ['fetch', call('WebFetch', { url: 'https://example.org/releases?page=2' })],
  ['search', call('WebSearch', { search_term: 'release notes of the frobnicator' })],
  ['mcp', call('CallMcpTool', { server: 'tracker', toolName: 'create_ticket', arguments: ticket })],
  ['mcp', call('create_ticket', { server: 'tracker' })],
  ['mode-switch', call('SwitchMode', { target_mode_id: 'agent' })],
  ['mode-switch-composer', call('SwitchMode', {})],
  ['reason-box', shell('make deploy')],
  ['question', call('AskQuestion', { questions: [branch] })],
  ['question-other', call('AskQuestion', { questions: [branch] })],
  ['question-second', call('AskQuestion', { questions: [branch, checks] })],
];

const foreign: [string, { toolName: string; args: unknown }][] = [
  ['shell', shell('make deploy-all')],
  ['shell', shell('make')],
  ['hook', shell('make deploy in')],
  ['shell', shell('make deploy in')],
  ['shell', shell('make dep loy')],
  ['shell-listed', shell('cd /srv/site && npm run build-all')],
  ['shell-cut', shell('mv /srv/site/assets-next /srv/site/assets')],
  ['write', call('Write', { path: '/home/dev/work/site/src/pages/chrome.ts' })],
  ['write', call('Write', { path: '/home/dev/work/site/lib/src/pages/home.tsx' })],
  ['write-diff', call('Write', { path: 'src/other.ts' })],
  ['delete', call('Delete', { path: 'old.md.bak' })],
  ['delete', call('Delete', { path: 'notes/older.md' })],
  ['fetch', call('WebFetch', { url: 'https://example.org/releases' })],
  ['mcp', call('CallMcpTool', { server: 'tracker', toolName: 'create', arguments: ticket })],
  ['mcp', call('CallMcpTool', { server: 'tracker', toolName: 'create_ticket', arguments: { title: 'Other' } })],
  ['mode-switch', call('SwitchMode', { target_mode_id: 'plan' })],
  ['mode-switch-composer', shell('make deploy')],
  ['decision', shell('make deploy')],
  ['trust', shell('make deploy')],
  ['none-quoted-idle', shell('make deploy')],
  ['question', call('AskQuestion', { questions: [branch, checks] })],
  ['question', call('AskQuestion', { questions: [{ ...branch, options: [{ label: 'main' }] }] })],
  ['question', call('AskQuestion', { questions: [{ ...branch, options: [{ label: 'next' }, { label: 'main' }] }] })],
  ['question', shell('make deploy')],
  ['question', call('AskQuestion', { questions: [] })],
  ['shell', call('Shell', null)],
  ['shell', call('Unknown', '')],
];

describe('whose prompt it is', () => {
  for (const [name, its] of own) {
    it(`${name} is of ${JSON.stringify(its)}`, () => assert.ok(matches(screen(name), its)));
  }

  for (const [name, other] of foreign) {
    it(`${name} is not of ${JSON.stringify(other)}`, () => assert.ok(!matches(screen(name), other)));
  }

  it('is the one call that fits', () => {
    const calls = [shell('make'), shell('make deploy'), call('Write', { path: 'src/pages/home.ts' })];
    assert.deepEqual(whosePrompt(screen('shell'), calls), { kind: 'call', call: calls[1] });
    assert.deepEqual(whosePrompt(screen('write'), calls), { kind: 'call', call: calls[2] });
    assert.deepEqual(whosePrompt(screen('delete'), calls), { kind: 'none' });
  });

  it('is ambiguous when several fit', () => {
    assert.equal(whosePrompt(screen('shell'), [shell('make deploy'), shell('make  deploy')]).kind, 'ambiguous');
    const files = [call('Write', { path: '/a/src/pages/home.ts' }), call('Write', { path: '/b/src/pages/home.ts' })];
    assert.equal(whosePrompt(screen('write'), files).kind, 'ambiguous');
  });

  it('does not take what is to be written for the name of the file', () => {
    const rows = ['─'.repeat(20), ' src/other.ts', ' Write to this file?', ' in src/pages/home.ts', ' → Proceed (y)'];
    assert.ok(!matches(readScreen(rows), call('Write', { path: 'src/other.ts' })));
    assert.ok(matches(readScreen(rows), call('Write', { path: 'src/pages/home.ts' })));
  });

  it('takes the beginning of a command for enough where the rest is left out', () => {
    const shown = readScreen([
      '─'.repeat(20),
      ' $ node build.mjs --release --target web…',
      'Run this command?',
      ' → Run (y)',
    ]);
    assert.ok(matches(shown, shell('node build.mjs --release --target web,desktop --sign')));
    assert.ok(!matches(shown, shell('node build.mjs --release --sign')));
  });
});
