import * as vscode from 'vscode';
import { oneLine, showHidden } from '../../base/displayText.ts';
import type { Transcript } from '../../delegation/transcript.ts';
import type { RunRecord } from '../../journal/entry.ts';
import type { TranscriptStep } from '../../protocol/transcript.ts';
import { formatDuration } from '../duration.ts';
import { engineNames } from '../runs/runText.ts';

/** The document of a run's steps, each with the time since the run began. Texts are redacted already. */
export function transcriptText(record: RunRecord, kept: Transcript): string {
  const failed = new Set(kept.steps.flatMap((step) => (step.kind === 'toolEnded' && !step.ok ? [step.id] : [])));
  const lines = kept.steps.flatMap((step) => {
    const text = stepText(step, failed);
    return text === undefined ? [] : [`- \`${formatDuration(Math.max(0, step.at - record.startedAt))}\` ${text}`];
  });
  return [
    `# ${vscode.l10n.t('Transcript of {0}: {1}', engineNames[record.engine], oneLine(record.title, 120))}`,
    '',
    ...(kept.isWhole ? [] : [`> ${vscode.l10n.t('The first steps are no longer kept.')}`, '']),
    ...(lines.length === 0 ? [vscode.l10n.t('The agent did nothing that it told of.')] : lines),
    '',
  ].join('\n');
}

function stepText(step: TranscriptStep, failed: ReadonlySet<string>): string | undefined {
  switch (step.kind) {
    case 'message':
      return indented(showHidden(step.text));
    case 'toolStarted':
      return `${failed.has(step.id) ? '✗' : '▸'} ${code(step.title)}`;
    case 'toolEnded':
      return undefined;
    case 'fileChange':
      return `✎ ${code(step.change.path)} (${changeWord(step.change.kind)})`;
    case 'retrying':
      return vscode.l10n.t('retrying: {0}', oneLine(step.detail, 500));
    case 'warning':
      return `⚠ ${oneLine(step.text, 500)}`;
  }
}

/** Of more than one line, the rest stands under the first. */
const indented = (text: string) => text.trim().replaceAll('\n', '\n  ');

/** Inline code that holds whatever it is given. */
function code(text: string): string {
  const line = oneLine(text, 500);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const room = longest > 0 ? ' ' : '';
  return `${fence}${room}${line}${room}${fence}`;
}

function changeWord(kind: 'added' | 'modified' | 'deleted'): string {
  switch (kind) {
    case 'added':
      return vscode.l10n.t('added');
    case 'modified':
      return vscode.l10n.t('modified');
    case 'deleted':
      return vscode.l10n.t('deleted');
  }
}
