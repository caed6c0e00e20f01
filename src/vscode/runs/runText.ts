import * as vscode from 'vscode';
import { oneLine } from '../../base/displayText.ts';
import type { RunPhase } from '../../delegation/task.ts';
import type { RunRecord, RunStatus } from '../../journal/entry.ts';
import type { Access, EngineId } from '../../protocol/model.ts';
import { formatDuration } from '../duration.ts';

/** Product names, as the manifest's commands have them. They are not translated. */
export const engineNames: Record<EngineId, string> = {
  codex: 'Codex',
  grok: 'Grok',
  claude: 'Claude',
  cursor: 'Cursor',
};

/** What a live run is doing, in a few words. Text of the agent in it is made safe for one line. */
export function phaseText(phase: RunPhase): string {
  switch (phase.kind) {
    case 'waiting':
      if (phase.behind === 'checkout') return vscode.l10n.t('waiting for another writer');
      if (phase.behind === 'session') return vscode.l10n.t('waiting for its session');
      return phase.ahead > 0 ? vscode.l10n.t('waiting, {0} ahead', phase.ahead) : vscode.l10n.t('starting');
    case 'running':
      return oneLine(phase.step, 80) || vscode.l10n.t('working');
    case 'retrying':
      return vscode.l10n.t('retrying: {0}', oneLine(phase.detail, 80));
    case 'stopping':
      return vscode.l10n.t('stopping');
    case 'ended':
      return vscode.l10n.t('ended');
  }
}

export function statusText(status: RunStatus): string {
  switch (status) {
    case 'running':
      return vscode.l10n.t('Running');
    case 'completed':
      return vscode.l10n.t('Completed');
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'cancelled':
      return vscode.l10n.t('Cancelled');
    case 'lost':
      return vscode.l10n.t('Lost: its process ended before it could report');
  }
}

export function accessText(access: Access): string {
  switch (access) {
    case 'readOnly':
      return vscode.l10n.t('read only');
    case 'workspaceWrite':
      return vscode.l10n.t('may write in the workspace');
    case 'full':
      return vscode.l10n.t('unrestricted');
  }
}

interface ModelChoice {
  model?: string | undefined;
  effort?: string | undefined;
}

/** Model and effort, or undefined when the CLI's own default ran. */
export function modelText({ model, effort }: ModelChoice): string | undefined {
  if (model === undefined) return undefined;
  return effort === undefined ? model : vscode.l10n.t('{0}, effort {1}', model, effort);
}

/**
 * `Codex · 12s · running npm test · gpt-5`, `Codex · 2m 05s`, `Codex · 4s · failed`, `Codex · 9s · sallyport-1a2b` (the branch
 * that came of it). When a lost run ended nobody knows.
 */
export function rowText(record: RunRecord, phase: RunPhase | undefined, now: number): string {
  const parts: (string | undefined)[] = [engineNames[record.engine]];
  if (record.status !== 'lost') parts.push(formatDuration((record.endedAt ?? now) - record.startedAt));
  if (phase) parts.push(phaseText(phase), modelText(record));
  else if (record.status === 'running') parts.push(vscode.l10n.t('in another window'));
  else if (record.status !== 'completed') parts.push(statusText(record.status).toLocaleLowerCase());
  parts.push(record.branch);
  return parts.filter((part) => part !== undefined).join(' · ');
}
