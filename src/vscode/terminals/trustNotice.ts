import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { messageText } from '../messageText.ts';
import type { AgentTerminals } from './agentTerminals.ts';
import { type AgentPanesDeps, createAgentPanes } from './agentPanes.ts';
import { showPlace } from './showPlace.ts';
import { type TrustCandidate, TrustWatch } from './trustWatch.ts';

export interface TrustNoticeDeps extends AgentPanesDeps {
  terminals: AgentTerminals;
  log: Logger;
}

/**
 * Tells the person when an agent waits for an answer about trusting its folder, which is theirs alone to give. Never presses a
 * key. Looks nowhere in Restricted Mode.
 */
export function registerTrustNotice(deps: TrustNoticeDeps): vscode.Disposable {
  const { terminals, log } = deps;
  const panes = createAgentPanes(deps);
  const watch = new TrustWatch({
    clock: systemClock,
    log,
    candidates: async (signal) =>
      vscode.workspace.isTrusted ? [...ownedCandidates(terminals), ...(await panes(signal))] : [],
    onDidAsk: (candidate) => void notify(candidate, deps),
  });
  return vscode.Disposable.from(
    watch,
    terminals.onDidChange(() => watch.lookSoon()),
  );
}

function ownedCandidates(terminals: AgentTerminals): TrustCandidate[] {
  return terminals
    .owned()
    .map(({ id, target }) => ({ target, place: { kind: 'owned', id }, folder: terminals.folderOf(id) }));
}

async function notify(
  { target, place, folder }: TrustCandidate,
  { terminals, findTmux, states, env }: TrustNoticeDeps,
): Promise<void> {
  const open = vscode.l10n.t('Open Terminal');
  const message =
    folder === undefined
      ? vscode.l10n.t(
          'Cursor asks whether to trust its folder ({0}). Only you can answer that, in its terminal.',
          target.title,
        )
      : vscode.l10n.t(
          'Cursor asks whether to trust {0} ({1}). Only you can answer that, in its terminal.',
          folder,
          target.title,
        );
  if ((await vscode.window.showInformationMessage(messageText(message), open)) !== open) return;
  await showPlace(place, { showOwned: (id) => terminals.show(id), findTmux, states, env });
}
