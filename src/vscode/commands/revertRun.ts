import * as vscode from 'vscode';
import { oneLine } from '../../base/displayText.ts';
import type { FilePlan, RevertPlan, WhyKept } from '../../delegation/revert.ts';
import type { RunRecord } from '../../journal/entry.ts';
import { offersOf } from '../runs/runNode.ts';
import type { Services } from '../services.ts';
import { requireTrust } from '../trust.ts';
import { realPath, workspaceLookup } from '../workspaceFolders.ts';
import { showChangesOf } from './showChanges.ts';
import { targetRun } from './target.ts';

/** Why a file cannot be touched: what the plan says, or what only the window knows. */
type Obstacle = WhyKept | 'outside' | 'unsaved';

/** A dialog shows no more. */
const maxListed = 15;

/** "Revert This Run": takes back what the run changed and nothing else, or says which files are in the way, and why. */
export async function revertRun(services: Services, target: unknown): Promise<void> {
  if (!requireTrust()) return;
  const record = await targetRun(services, target, (each) => offersOf(each).includes('revert'));
  if (!record || !(await canBeReverted(services, record))) return;
  const reverts = await services.reverts();
  const plan = await reverts.plan(record.runId);
  if (!plan) {
    await tell(
      services,
      record,
      vscode.l10n.t('This run cannot be reverted.'),
      vscode.l10n.t('The state of the folder around it is not kept: states are kept for 7 days, and only under git.'),
    );
    return;
  }
  if (plan.files.every(({ becomes, refused }) => !becomes && !refused)) {
    const undo = await reverts.planUndo(record.runId);
    await offerUndo(services, record, vscode.l10n.t('Nothing of what this run changed is left.'), undo !== undefined);
    return;
  }
  if (await isInTheWay(services, record, plan)) return;
  if (!(await confirm(plan))) return;
  if (!(await carryOut(services, record, plan))) return;
  const count = plan.files.filter(({ becomes }) => becomes).length;
  await offerUndo(services, record, vscode.l10n.t('What the run changed was taken back. Files: {0}', count), true);
}

async function canBeReverted(services: Services, record: RunRecord): Promise<boolean> {
  const say = (message: string) => void vscode.window.showInformationMessage(message);
  if (record.origin !== undefined) {
    const where = record.branch ?? vscode.l10n.t('none');
    say(
      vscode.l10n.t(
        'It worked in a worktree of its own, so there is nothing to take back here. Its branch: {0}',
        where,
      ),
    );
    return false;
  }
  if (record.files.length === 0) {
    say(vscode.l10n.t('This run changed no files.'));
    return false;
  }
  const live = (await services.history()).find(
    ({ status, access, origin }) => status === 'running' && access !== 'readOnly' && origin === undefined,
  );
  if (live) {
    const title = oneLine(live.title, 60).replaceAll('](', '] (');
    say(vscode.l10n.t('A run is at work here and may change files. Revert when it has ended: {0}', title));
    return false;
  }
  return true;
}

/** Whether files are in the way; the person is told which ones. Nothing is done then, not even to the others. */
async function isInTheWay(services: Services, record: RunRecord, plan: RevertPlan): Promise<boolean> {
  const obstacleOf = obstacles();
  const inTheWay = plan.files.flatMap((file) => {
    const why = obstacleOf(file);
    return why === undefined ? [] : [`${oneLine(file.path, 80)}: ${obstacleText(why)}`];
  });
  if (inTheWay.length === 0) return false;
  const message =
    plan.act === 'revert'
      ? vscode.l10n.t('This run cannot be reverted without touching what came after it.')
      : vscode.l10n.t('The revert cannot be undone without touching what came after it.');
  await tell(services, record, message, [...listed(inTheWay), '', vscode.l10n.t('Nothing was changed.')].join('\n'));
  return true;
}

function obstacles(): (file: FilePlan) => Obstacle | undefined {
  const isInWorkspace = workspaceLookup();
  const unsaved = new Set(
    vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => realPath(uri.fsPath)),
  );
  return ({ place, becomes, refused }) => {
    if (refused !== undefined) return refused;
    if (!becomes) return undefined;
    if (!isInWorkspace(place)) return 'outside';
    return unsaved.has(realPath(place)) ? 'unsaved' : undefined;
  };
}

function obstacleText(why: Obstacle): string {
  switch (why) {
    case 'sameLines':
      return vscode.l10n.t('the same lines were changed again');
    case 'changedAgain':
      return vscode.l10n.t('the file was changed again');
    case 'deletedSince':
      return vscode.l10n.t('the file was deleted since');
    case 'createdSince':
      return vscode.l10n.t('there is a new file in its place');
    case 'notKept':
      return vscode.l10n.t('its content is not kept (too large, or a repository of its own)');
    case 'linkedFolder':
      return vscode.l10n.t('a folder above it is a link now');
    case 'outside':
      return vscode.l10n.t('it is outside the folders of the workspace');
    case 'unsaved':
      return vscode.l10n.t('it has changes that are not saved');
  }
}

async function confirm(plan: RevertPlan): Promise<boolean> {
  const files = plan.files.filter(({ becomes }) => becomes);
  const revert = vscode.l10n.t('Revert');
  const detail = [
    ...listed(files.map((file) => `${oneLine(file.path, 80)}: ${effectText(file)}`)),
    '',
    vscode.l10n.t('Whatever else was changed in these files while it ran goes too. It can be undone.'),
  ].join('\n');
  const message = vscode.l10n.t('Take back what this run changed? Files: {0}', files.length);
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, revert)) === revert;
}

function effectText({ now, becomes }: FilePlan): string {
  if (becomes?.kind === 'absent') return vscode.l10n.t('is deleted');
  return now.kind === 'absent' ? vscode.l10n.t('comes back') : vscode.l10n.t('its changes go');
}

function listed(lines: readonly string[]): string[] {
  const more = lines.length - maxListed;
  return more > 0 ? [...lines.slice(0, maxListed), vscode.l10n.t('… and {0} more', more)] : [...lines];
}

/** Whether it was done; if not, the person has been told why. */
async function carryOut(services: Services, record: RunRecord, plan: RevertPlan): Promise<boolean> {
  const carried = await (await services.reverts()).carryOut(plan);
  if (carried.done) return true;
  const detail = listed(carried.changed.map((path) => oneLine(path, 80))).join('\n');
  await tell(
    services,
    record,
    vscode.l10n.t('Files changed this very moment, so nothing was done. Try again.'),
    detail,
  );
  return false;
}

async function offerUndo(services: Services, record: RunRecord, message: string, canUndo: boolean): Promise<void> {
  const undo = vscode.l10n.t('Undo the Revert');
  if ((await vscode.window.showInformationMessage(message, ...(canUndo ? [undo] : []))) !== undo) return;
  const plan = await (await services.reverts()).planUndo(record.runId);
  if (!plan || (await isInTheWay(services, record, plan)) || !(await carryOut(services, record, plan))) return;
  vscode.window.setStatusBarMessage(vscode.l10n.t('The changes of the run are back'), 5_000);
}

/** Says why nothing was done, and offers the diff. */
async function tell(services: Services, record: RunRecord, message: string, detail: string): Promise<void> {
  const show = vscode.l10n.t('Show Changes');
  const chosen = await vscode.window.showWarningMessage(message, { modal: true, detail }, show);
  if (chosen === show) await showChangesOf(services, record);
}
