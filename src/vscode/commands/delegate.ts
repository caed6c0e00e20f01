import * as vscode from 'vscode';
import type { Choice } from '../../delegation/task.ts';
import type { EngineId } from '../../protocol/model.ts';
import { engineNames, modelText } from '../runs/runText.ts';
import type { Services } from '../services.ts';
import { requireTrust } from '../trust.ts';
import { askPrompt } from './askPrompt.ts';
import { pickFolder } from './pickFolder.ts';
import { watchRun } from './watchRun.ts';

/** "Delegate to Codex" and its like. A key binding may pass `{ "prompt": … }` to begin with; the person still confirms it. */
export async function delegateTo(services: Services, engine: EngineId, given: unknown): Promise<void> {
  if (!requireTrust()) return;
  const title = vscode.l10n.t('Delegate to {0}', engineNames[engine]);
  await delegate(services, { by: 'engine', engine }, title, draftIn(given));
}

/** "Delegate…": asks for the level first. */
export async function delegateAtLevel(services: Services, given: unknown): Promise<void> {
  if (!requireTrust()) return;
  const row = await pickLevel(services, vscode.l10n.t('Delegate: who should do it? (1 is the cheapest)'));
  if (!row) return;
  const asked = vscode.l10n.t('Delegate at level {0}: {1}', row.level, row.description);
  await delegate(services, { by: 'level', level: row.level }, asked, draftIn(given));
}

/** Asks for a delegation level. Undefined when nothing was picked. */
export async function pickLevel(
  services: Services,
  title: string,
): Promise<{ level: number; description: string } | undefined> {
  const tiers = await services.tiers();
  const rows = tiers.map((tier, index) => ({
    label: vscode.l10n.t('Level {0}', index + 1),
    description: [engineNames[tier.engine], modelText(tier)].filter(Boolean).join(' · '),
    level: index + 1,
  }));
  return vscode.window.showQuickPick(rows, { title, matchOnDescription: true });
}

async function delegate(services: Services, choice: Choice, title: string, draft: string): Promise<void> {
  const folder = await pickFolder();
  if (!folder) return;
  const prompt = await askPrompt({ title, draft, folder });
  if (prompt === undefined) return;
  const delegation = await services.delegation();
  const task = { tool: 'command', prompt, access: 'workspaceWrite', cwd: folder.uri.fsPath, choice } as const;
  await watchRun(services, delegation, delegation.start(task));
}

function draftIn(given: unknown): string {
  const has = typeof given === 'object' && given !== null && 'prompt' in given;
  return has && typeof given.prompt === 'string' ? given.prompt : '';
}
