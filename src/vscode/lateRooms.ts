import type * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import { lazy } from '../base/lazy.ts';
import type { Logger } from '../base/logger.ts';
import type { WorkspaceConsent } from './consent.ts';
import type { GettingStarted } from './gettingStarted.ts';
import { hostHasMcp } from './mcpProvider.ts';
import type { RunsView } from './runs/runsView.ts';

export interface LateRoomsDeps {
  context: vscode.ExtensionContext;
  log: Logger & { show(): void };
  consent: WorkspaceConsent;
  started: GettingStarted;
  /** The extension's own. */
  version: string;
  /** Absolute path of the server program, dist/mcp.cjs. */
  program: string;
  runs: () => RunsView;
}

/** Everything of a window that is loaded and made at its first use, never by activation. */
export function createLateRooms({ context, log, consent, started, version, program, runs }: LateRoomsDeps) {
  const own = <T extends vscode.Disposable>(item: T): T => {
    context.subscriptions.push(item);
    return item;
  };
  const room = lazy(async () => {
    const { openWindowRoom } = await import('./window.ts');
    const { workspaceState } = context;
    const opened = await openWindowRoom({ log, consent, workspaceState, dist: context.asAbsolutePath('dist') });
    runs().follow(opened.delegation, opened.journal.onDidChange);
    own(opened.delegation.onDidChange(({ record }) => record.status === 'completed' && started.did('finishRun')));
    void opened.terminals.agents.offerResume();
    return opened;
  });
  const relay = lazy(async () => {
    const { openWindowRelay } = await import('./window.ts');
    const onToolCalled = () => started.did('useFromChat');
    return own(await openWindowRelay({ log, version, room: await room(), onToolCalled }));
  });
  const waiting = lazy(async () => {
    const { openWaitingRoom } = await import('./window.ts');
    return openWaitingRoom({
      log,
      room: await room(),
      showBadge: (badge) => runs().showBadge(badge),
      onSessionSeen: () => started.did('seeSession'),
    });
  });
  const doctor = lazy(async () => {
    const { openDoctor } = await import('./window.ts');
    const { extensionUri } = context;
    const onAgentReady = () => started.did('checkSetup');
    const ours = { version, program, hostHasMcp: hostHasMcp() };
    return own(openDoctor({ log, clock: systemClock, room: await room(), extensionUri, onAgentReady, ...ours }));
  });
  return {
    room,
    relay,
    waiting,
    doctor,
    /** Ends what was made. Whatever becomes of the one, no worker may outlive the window. */
    async close(): Promise<void> {
      try {
        await (await waiting.started)?.close();
      } finally {
        await (await room.started)?.close();
      }
    },
  };
}
