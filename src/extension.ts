import { join } from 'node:path';
import type * as vscode from 'vscode';
import { systemClock } from './base/clock.ts';
import type { Logger } from './base/logger.ts';
import { AgentsView } from './vscode/agents/agentsView.ts';
import { registerKeptFiles } from './vscode/changes/keptFiles.ts';
import { registerCommands } from './vscode/commands/register.ts';
import { WorkspaceConsent } from './vscode/consent.ts';
import { openLog } from './vscode/logger.ts';
import { GettingStarted } from './vscode/gettingStarted.ts';
import { createLateRooms } from './vscode/lateRooms.ts';
import { registerMcpProvider } from './vscode/mcpProvider.ts';
import { ResultDocuments } from './vscode/results/resultDocuments.ts';
import { RunsView } from './vscode/runs/runsView.ts';
import type { Services } from './vscode/services.ts';
import type { Desk } from './vscode/waiting/desk.ts';
import { registerWaiting } from './vscode/waiting/register.ts';

// The composition root of the window. What is imported above is all that activation loads: engines, journal, settings
// and the MCP server are loaded with the first command or look at a view, the start of the server, or when the sessions of
// Cursor begin to be watched, a moment after the editor has started.

/** Out of the way of everything else that starts with the editor. */
const watchAfterMs = 500;
/** What other clients start need not be up to date before they are used. */
const refreshAfterMs = 5_000;

/** Ends what this window runs. Set while the extension is active. */
let shutdown: () => Promise<void> = () => Promise.resolve();

export function activate(context: vscode.ExtensionContext): void {
  const log = openLog();
  const consent = new WorkspaceConsent(context.workspaceState);
  const started = new GettingStarted(context.globalState);
  const own = <T extends vscode.Disposable>(item: T): T => {
    context.subscriptions.push(item);
    return item;
  };

  const version = versionIn(context.extension.packageJSON);
  const program = join(context.extensionPath, 'dist', 'mcp.cjs');
  const rooms = createLateRooms({ context, log, consent, started, version, program, runs: () => runs });
  const { room, relay, waiting, doctor } = rooms;
  shutdown = () => rooms.close();

  const desk = async () => (await waiting()).desk;
  own(new AgentsView({ sessions: async () => (await waiting()).sessions() }));
  const delegation = async () => (await room()).delegation;
  const results = new ResultDocuments(delegation);
  const runs = own(
    new RunsView({
      history: async () => (await room()).history(),
      hasAgents: async () => (await room()).hasAgents(),
      clock: systemClock,
    }),
  );
  const services: Services = {
    log,
    consent,
    delegation,
    engines: async () => (await room()).engines,
    tiers: async () => (await room()).config.tiers,
    history: async () => (await room()).history(),
    states: async (handle) => (await room()).states(handle),
    reverts: async () => (await room()).reverts,
    openResult: (record, focus = 'take') => results.open(record, focus),
    openRendered: (record) => results.openRendered(record),
    openTranscript: (record) => results.openTranscript(record),
    runs,
    terminals: async () => (await room()).terminals,
    clients: async () => (await room()).clients,
    checkSetup: async () => (await doctor()).checkSetup(),
    desk,
  };

  own(log);
  own(results.register());
  own(registerKeptFiles((handle) => services.states(handle)));
  own(registerCommands(services));
  own(registerWaiting({ extensionUri: context.extensionUri, desk }));
  own(registerMcpProvider({ log, version, program, relay }));
  started.restore();
  own(systemClock.after(watchAfterMs, () => void watch(desk, log)));
  own(systemClock.after(refreshAfterMs, () => void refreshClients(services)));
}

/** Sessions are watched without anybody's doing, so what goes wrong is for the log; the view says it when it is opened. */
async function watch(desk: () => Promise<Desk>, log: Logger): Promise<void> {
  try {
    await (await desk()).start();
  } catch (error) {
    log.error(`Sessions are not watched: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function refreshClients(services: Services): Promise<void> {
  try {
    await (await services.clients()).refresh();
  } catch (error) {
    services.log.warn(`clients: not brought up to date: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The editor waits for this: no worker outlives its window. */
export async function deactivate(): Promise<void> {
  await shutdown();
}

function versionIn(manifest: unknown): string {
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return known && typeof manifest.version === 'string' ? manifest.version : '0.0.0';
}
