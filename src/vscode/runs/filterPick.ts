import * as vscode from 'vscode';
import type { RunStatus } from '../../journal/entry.ts';
import { type EngineId, engineIdSchema } from '../../protocol/model.ts';
import { statusName } from './filterText.ts';
import type { RunFilter } from './runFilter.ts';
import { engineNames } from './runText.ts';

interface Choice extends vscode.QuickPickItem {
  status?: RunStatus;
  engine?: EngineId;
}

const statuses: readonly RunStatus[] = ['running', 'completed', 'failed', 'cancelled', 'lost'];

/** Asks which runs to show: what is typed must occur in them, and what is ticked must hold. Undefined when given up. */
export async function pickFilter(current: RunFilter): Promise<RunFilter | undefined> {
  const [asStatus, asAgent] = [vscode.l10n.t('Status'), vscode.l10n.t('Agent')];
  // What is typed is for the runs, and hides no row here.
  const byStatus = statuses.map((status): Choice => ({
    label: statusName(status),
    description: asStatus,
    status,
    alwaysShow: true,
  }));
  const byEngine = engineIdSchema.options.map((engine): Choice => ({
    label: engineNames[engine],
    description: asAgent,
    engine,
    alwaysShow: true,
  }));
  const pick = vscode.window.createQuickPick<Choice>();
  pick.title = vscode.l10n.t('Filter Runs');
  pick.placeholder = vscode.l10n.t('Words in the title, model, branch or a changed file; tick status and agent below');
  pick.canSelectMany = true;
  pick.value = current.text;
  pick.items = [...byStatus, ...byEngine];
  pick.selectedItems = [
    ...byStatus.filter(({ status }) => status && current.statuses.includes(status)),
    ...byEngine.filter(({ engine }) => engine && current.engines.includes(engine)),
  ];
  try {
    return await new Promise<RunFilter | undefined>((resolve) => {
      pick.onDidAccept(() =>
        resolve({
          text: pick.value,
          statuses: pick.selectedItems.flatMap(({ status }) => status ?? []),
          engines: pick.selectedItems.flatMap(({ engine }) => engine ?? []),
        }),
      );
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}
