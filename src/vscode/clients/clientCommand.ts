import * as vscode from 'vscode';
import { commandLine } from '../../clients/commandLine.ts';
import type { Capture } from '../../process/capture.ts';

const timeoutMs = 60_000;
const maxBytes = 64 * 1024;

/** A client's own command: what is run, and as what it is shown. */
export interface ClientCommand {
  /** Absolute. */
  file: string;
  /** The name its users call it by. */
  program: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export interface Ran {
  ok: boolean;
  /** What the client itself said, standard output before the errors. */
  output: string;
}

/** As the person would type it. */
export function shown({ program, args }: Pick<ClientCommand, 'program' | 'args'>): string {
  return commandLine([program, ...args], process.platform);
}

/** Shows commands and asks whether to run them. */
export async function confirmCommands(
  question: string,
  commands: readonly ClientCommand[],
  note: string,
): Promise<boolean> {
  const run = vscode.l10n.t('Run');
  const copy = vscode.l10n.t('Copy Command');
  const lines = commands.map(shown).join('\n');
  const [first] = commands;
  const place = first ? vscode.l10n.t('In {0}, by {1}', first.cwd, first.file) : '';
  const detail = [lines, place, note].filter((part) => part !== '').join('\n\n');
  const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail }, run, copy);
  if (chosen === copy) await vscode.env.clipboard.writeText(lines);
  return chosen === run;
}

/** Runs it with a notification that can cancel it. */
export async function runCommand(command: ClientCommand, capture: Capture): Promise<Ran> {
  const options = { location: vscode.ProgressLocation.Notification, title: shown(command), cancellable: true };
  return vscode.window.withProgress(options, async (_progress, token) => {
    const stopping = new AbortController();
    const cancelled = token.onCancellationRequested(() => stopping.abort());
    const { file, args, cwd, env } = command;
    const ended = await capture({ file, args, cwd, env, timeoutMs, maxBytes, signal: stopping.signal });
    cancelled.dispose();
    const said = [ended.stdout.toString('utf8'), ended.stderr].map((text) => text.trim()).filter((text) => text !== '');
    if (ended.timedOut) said.push(vscode.l10n.t('It did not end within a minute and was stopped.'));
    if (stopping.signal.aborted) said.push(vscode.l10n.t('It was cancelled.'));
    return { ok: ended.code === 0, output: said.join('\n') };
  });
}
