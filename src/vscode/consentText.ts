import type { l10n as vscodeL10n } from 'vscode';
import { oneLine } from '../base/displayText.ts';
import type { ConsentSubject } from '../delegation/attempt.ts';

const maxCommand = 300;

/** What the dialog asks and warns of. A command is shown in one bounded line, with what would hide in it made visible. */
export function questionOf(
  who: ConsentSubject,
  cwd: string,
  l10n: Pick<typeof vscodeL10n, 't'>,
): { question: string; detail: string } {
  if (who.kind === 'agent') {
    return {
      question: l10n.t('Let {0} work without a sandbox in {1}?', who.title, cwd),
      detail: l10n.t(
        'Its command line tool can act only with its own approvals switched off, and nothing holds it to the folder: it can run any command as you, without asking.',
      ),
    };
  }
  return {
    question: l10n.t('Run a shell command without a sandbox in {0}?', cwd),
    detail: [
      l10n.t('An MCP client asked for this command, by the tool run_filtered:'),
      shown(who.command, l10n),
      l10n.t('Nothing holds it to the folder: it can do whatever you can.'),
    ].join('\n\n'),
  };
}

/** A line feed begins another command, so it is not folded into a space. */
function shown(command: string, l10n: Pick<typeof vscodeL10n, 't'>): string {
  const line = oneLine(command.trim().replace(/\r?\n/g, ' ⏎ '), maxCommand);
  return line.endsWith('…') && !command.trimEnd().endsWith('…')
    ? l10n.t('{0} (shortened: {1} characters in all)', line, command.length)
    : line;
}
