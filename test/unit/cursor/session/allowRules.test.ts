import assert from 'node:assert/strict';
import type { Json } from '../../../../src/cursor/store/json.ts';
import { isCovered } from '../../../../src/cursor/session/allowRules.ts';
import { shellSegments } from '../../../../src/cursor/session/shellSegments.ts';
import { matchesPath, matchesWildcards } from '../../../../src/cursor/session/wildcards.ts';

function covered(toolName: string, args: Json, allow: string[], deny: string[] = []): boolean {
  return isCovered({ toolCallId: 'a', toolName, args, otherFields: {}, cut: false }, { allow, deny }, '/work');
}
const shell = (command: string, allow: string[], deny: string[] = []): boolean =>
  covered('Shell', { command }, allow, deny);

describe('allow rules', () => {
  it('cover a command by its first word, or by its arguments too', () => {
    assert.equal(shell('git status', ['Shell(git)']), true);
    assert.equal(shell('git status', ['Shell(gi)', 'Shell()', 'shell(git)', 'Write(git)', 'git', 'Shell(git']), false);
    assert.equal(shell('git status', ['Shell(git:status)']), true);
    assert.equal(shell('git push origin', ['Shell(git:status)', 'Shell(git:push)']), false);
    assert.equal(shell('git push origin', ['Shell(git:push *)']), true);
    assert.equal(shell('npm run test', ['Shell(np?)']), true);
    assert.equal(shell('anything at all', ['Shell(**)']), true);
    assert.equal(shell("git commit -m 'a; rm -rf /'", ['Shell(git)']), true);
  });

  it('cover a chain only when every part is covered', () => {
    const allow = ['Shell(cd)', 'Shell(npm)'];
    for (const chain of [
      'cd /x && npm test',
      'cd /x; npm test',
      'npm a || npm b',
      'npm a | npm b',
      'npm a & npm b',
      'npm a\nnpm b',
    ]) {
      assert.equal(shell(chain, allow), true, chain);
      assert.equal(shell(chain.replace(/npm/, 'rm'), allow), false, chain);
    }
  });

  it('cover nothing that a shell does more with', () => {
    for (const command of [
      'git $(rm -rf x)',
      'git `rm -rf x`',
      'git "$(rm -rf x)"',
      `git "it's $(rm -rf x) '"`,
      'git status > ~/.bashrc',
      'git <(rm x)',
      '(git status)',
      '{ git status; }',
      'GIT_PAGER=rm git log',
      'git \\; x',
      'if git status; then git push; fi',
      'git "unclosed',
      'git $HOME',
      'git status # comment',
      'git\u0000x',
      '',
      ' ',
      '&&',
    ]) {
      assert.equal(shell(command, ['Shell(*)']), false, command);
    }
  });

  it('never cover what is denied', () => {
    assert.equal(shell('git push', ['Shell(git)'], ['Shell(git:push*)']), false);
    assert.equal(shell('ls && rm x', ['Shell(*)'], ['Shell(rm)']), false);
    assert.equal(shell('ls', ['Shell(*)'], ['Shell(rm)']), true);
  });

  it('cover paths by their pattern, from the working folder on', () => {
    assert.equal(covered('Write', { path: 'src/a/b.ts' }, ['Write(src/**)']), true);
    assert.equal(covered('Write', { path: '/work/src/a.ts' }, ['Write(src/*.ts)']), true);
    assert.equal(covered('StrReplace', { path: 'src/a/b.ts' }, ['Write(src/*.ts)']), false);
    assert.equal(covered('Write', { path: 'src/../.env' }, ['Write(src/**)']), false);
    assert.equal(covered('Write', { path: '/etc/passwd' }, ['Write(**)']), false);
    assert.equal(covered('Write', { path: '/etc/passwd' }, ['Write(/etc/*)']), true);
    assert.equal(covered('Write', { path: 'a' }, ['Read(**)']), false);
    assert.equal(covered('Read', { path: 'a' }, ['Read(**)']), true);
  });

  it('cover domains and MCP tools', () => {
    const url = 'https://Docs.Example.com:8443/x?y=.evil.org';
    assert.equal(covered('WebFetch', { url }, ['WebFetch(docs.example.com)']), true);
    assert.equal(covered('WebFetch', { url }, ['WebFetch(*.example.com)']), true);
    assert.equal(covered('WebFetch', { url }, ['WebFetch(example.com)', 'WebFetch(*evil.org)']), false);
    assert.equal(covered('WebFetch', { url: 'no url' }, ['WebFetch(*)']), false);
    const args = { server: 'github', toolName: 'list_issues', arguments: {} };
    assert.equal(covered('CallMcpTool', args, ['Mcp(github:list_*)']), true);
    assert.equal(covered('CallMcpTool', args, ['Mcp(*:*)']), true);
    assert.equal(covered('CallMcpTool', args, ['Mcp(github)', 'Mcp(git:list_issues)']), false);
  });

  it('cover no call that is not understood', () => {
    const all = ['Shell(*)', 'Read(**)', 'Write(**)', 'WebFetch(*)', 'Mcp(*:*)'];
    assert.equal(covered('ApplyPatch', '*** Begin Patch', all), false);
    assert.equal(covered('Delete', { path: 'a' }, all), false);
    assert.equal(covered('SomethingNew', { command: 'ls' }, all), false);
    assert.equal(covered('Shell', { command: 7 }, all), false);
    assert.equal(covered('Shell', null, all), false);
    const call = { toolCallId: 'a', toolName: 'Shell', args: { command: 'ls' }, otherFields: {}, cut: true };
    assert.equal(isCovered(call, { allow: all, deny: [] }, '/work'), false);
  });

  it('split a command line into words', () => {
    assert.deepEqual(shellSegments(`cd 'a b' && npm "run x" te"s"t`), [
      ['cd', 'a b'],
      ['npm', 'run x', 'test'],
    ]);
  });

  it('match patterns in bounded time', () => {
    assert.equal(matchesWildcards('abc', '*a*c*'), true);
    assert.equal(matchesWildcards('abc', 'a?'), false);
    assert.equal(matchesWildcards('', '*'), true);
    assert.equal(matchesWildcards('', ''), true);
    assert.equal(matchesWildcards('a.c', 'a[.]c'), false);
    assert.equal(matchesPath('/a/b/c', '/**/c'), true);
    assert.equal(matchesPath('/a/b/c', '/a/**'), true);
    assert.equal(matchesPath('/a/b/c', '/*/c'), false);
    const started = performance.now();
    assert.equal(matchesWildcards('a'.repeat(5000), `${'*a'.repeat(500)}b`), false);
    assert.equal(matchesPath('/a'.repeat(500), `${'/**/a'.repeat(200)}/b`), false);
    assert.ok(performance.now() - started < 3000);
  });
});
