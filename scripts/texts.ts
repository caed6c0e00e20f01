import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..');

/** Rooms whose sentences may reach the window, which translates them (`said` in src/vscode/l10n.ts). */
const speaking = [
  ...['approvals', 'base', 'clients', 'cursor', 'delegation', 'engines', 'git', 'journal', 'keys', 'process'],
  ...['requests', 'sandbox'],
].map((room) => `src/${room}/**/*.ts`);
/** What these say is for clients of the server, for the log or for a script. */
const silent =
  /^src\/(?:delegation\/(?:command|personas)\/|cursor\/(?:inspect|session\/folderWatch|store\/query)|clients\/(?:json|launcher))/;

/** What is for a model, for another program or for whoever works on Sallyport. */
const notForPeople = [
  /^Be terse/,
  /^You work in a git worktree/,
  /^Do not ask questions/,
  /^(?:\{0\}|You have).*Nobody can answer questions meanwhile/,
  /^You have \{1\}/,
  /^Nobody can be asked during this run/,
  /^This worker runs unattended/,
  /^Instructions for this task/,
  /^The task:/,
  /^Git's config and hooks are read-only here/,
  /^Sallyport \(said once per session\)/,
  /^When you are about to edit it/,
  /^Sallyport: found neither/,
  /^Node \{0\} at/,
  /^Not a run id/,
  /^Not in allowlist/,
  /^A fan-out needs/,
  /^A content that is not known/,
  /^Chat \{0\} lives/,
  /^The session of chat/,
  /^Not supported\.$/,
  /^SELECT /,
];

/**
 * Every text that the window shows, in English: what it says itself (`l10n.t`), and the sentences of the other rooms that it
 * may pass on, with `{0}` for what is filled in. Sorted.
 */
export function textsOfWindow(): string[] {
  const own = files(['src/vscode/**/*.ts']).flatMap((file) => literalsOf(file, isTranslated));
  const others = files(speaking)
    .flatMap((file) => literalsOf(file, () => true))
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => isSentence(line) && !notForPeople.some((each) => each.test(line)))
    .map(numbered);
  return [...new Set([...own, ...others])].sort();
}

function files(patterns: readonly string[]): ts.SourceFile[] {
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((path) => !silent.test(path))
    .map((path) => ts.createSourceFile(path, readFileSync(resolve(root, path), 'utf8'), ts.ScriptTarget.Latest, true));
}

function literalsOf(file: ts.SourceFile, wanted: (node: ts.Node) => boolean): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined && wanted(node)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }, index) => `{${index}}${literal.text}`).join('');
}

/** The first argument of `l10n.t` or `vscode.l10n.t`. */
function isTranslated(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  if (!ts.isPropertyAccessExpression(parent.expression)) return false;
  const { expression, name } = parent.expression;
  return name.text === 't' && expression.getText().endsWith('l10n');
}

/** Begins like one, ends like one, and has words. */
const isSentence = (line: string) =>
  /^(?:[A-Z]|\{0\} [a-z])/.test(line) && /[.:?]$/.test(line) && /[a-z]+ [a-z]/i.test(line);

/** A line of a longer text counts from 0 again. */
function numbered(line: string): string {
  const places = [...new Set(line.match(/\{\d\}/g))];
  return line.replace(/\{\d\}/g, (place) => `{${places.indexOf(place)}}`);
}
