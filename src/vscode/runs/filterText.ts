import * as vscode from 'vscode';
import { oneLine } from '../../base/displayText.ts';
import type { RunStatus } from '../../journal/entry.ts';
import type { RunFilter } from './runFilter.ts';
import { engineNames, statusText } from './runText.ts';

/** A filter in a few words. */
export function filterText(filter: RunFilter): string {
  const text = filter.text.trim() === '' ? [] : [`“${oneLine(filter.text, 40)}”`];
  return [...text, ...filter.statuses.map(statusName), ...filter.engines.map((engine) => engineNames[engine])].join(
    ', ',
  );
}

/** `Lost` alone: why it is so is for where there is room. */
export function statusName(status: RunStatus): string {
  return status === 'lost' ? vscode.l10n.t('Lost') : statusText(status);
}
