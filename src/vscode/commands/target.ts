import * as vscode from 'vscode';
import type { RunRecord } from '../../journal/entry.ts';
import { resultScheme, runOfAddress } from '../results/address.ts';
import type { RunNode } from '../runs/runNode.ts';
import { oneLine } from '../../base/displayText.ts';
import { rowText } from '../runs/runText.ts';
import type { Services } from '../services.ts';

/**
 * The run a command is about: the row or the document it was invoked on, else the result that is open in front, else one
 * the person picks among those that `fits` lets through. Undefined when there is none or nothing was picked.
 */
export async function targetRun(
  services: Services,
  target: unknown,
  fits: (record: RunRecord) => boolean,
): Promise<RunRecord | undefined> {
  if (isRunNode(target)) return target.record;
  return (await recordOfDocument(services, target, documentInFront())) ?? pickRun(services, fits);
}

/** The run whose document `target` is the address of, else the one whose document is at `otherwise`. */
export async function recordOfDocument(
  services: Services,
  target: unknown,
  otherwise?: vscode.Uri,
): Promise<RunRecord | undefined> {
  const address = target instanceof vscode.Uri ? target : otherwise;
  return address?.scheme === resultScheme ? recordAt(services, address) : undefined;
}

/** The Markdown preview is no text editor. */
function documentInFront(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

/** Only the Runs view passes objects of this form. */
export function isRunNode(target: unknown): target is RunNode {
  return (
    typeof target === 'object' && target !== null && 'kind' in target && target.kind === 'run' && 'record' in target
  );
}

async function recordAt(services: Services, address: vscode.Uri): Promise<RunRecord | undefined> {
  const handle = runOfAddress(address.path)?.handle;
  return handle === undefined ? undefined : (await services.delegation()).findRecord(handle);
}

/** Lets the person choose among this workspace's runs. Undefined when there is none or nothing was picked. */
export async function pickRun(
  services: Services,
  fits: (record: RunRecord) => boolean,
): Promise<RunRecord | undefined> {
  const records = (await services.history()).filter(fits);
  if (records.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no such run in this workspace yet.'));
    return undefined;
  }
  const rows = records.map((record) => ({
    label: oneLine(record.title, 80) || vscode.l10n.t('Untitled run'),
    description: `${rowText(record, undefined, Date.now())} · ${new Date(record.startedAt).toLocaleString(vscode.env.language)}`,
    record,
  }));
  return (await vscode.window.showQuickPick(rows, { title: vscode.l10n.t('Which run?'), matchOnDescription: true }))
    ?.record;
}
