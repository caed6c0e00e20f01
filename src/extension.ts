import { join } from 'node:path';
import type * as vscode from 'vscode';
import { lazy } from './base/lazy.ts';
import { registerBeforeFiles } from './vscode/changes/beforeFiles.ts';
import { registerCommands } from './vscode/commands/register.ts';
import { WorkspaceConsent } from './vscode/consent.ts';
import { openLog } from './vscode/logger.ts';
import { registerMcpProvider } from './vscode/mcpProvider.ts';
import { ResultDocuments } from './vscode/results/resultDocuments.ts';
import { RunsView } from './vscode/runs/runsView.ts';
import type { Services } from './vscode/services.ts';

// The composition root of the window. What is imported above is all that activation loads: engines, journal, settings
// and the MCP server are loaded with the first command, the first look at the Runs view, or the start of the server.

/** Ends what this window runs. Set while the extension is active. */
let shutdown: () => Promise<void> = () => Promise.resolve();

export function activate(context: vscode.ExtensionContext): void {
  const log = openLog();
  const consent = new WorkspaceConsent(context.workspaceState);
  const own = <T extends vscode.Disposable>(item: T): T => {
    context.subscriptions.push(item);
    return item;
  };

  const room = lazy(async () => {
    const { openWindowRoom } = await import('./vscode/window.ts');
    const opened = await openWindowRoom({ log, consent, dist: context.asAbsolutePath('dist') });
    runs.follow(opened.delegation, opened.journal.onDidChange);
    return opened;
  });
  const relay = lazy(async () => {
    const { openWindowRelay } = await import('./vscode/window.ts');
    return own(await openWindowRelay({ log, version, room: await room() }));
  });
  shutdown = async () => (await room.started)?.close();

  const delegation = async () => (await room()).delegation;
  const results = new ResultDocuments(delegation);
  const runs = own(
    new RunsView({
      history: async () => (await room()).history(),
      hasAgents: async () => (await room()).hasAgents(),
      now: () => Date.now(),
    }),
  );
  const services: Services = {
    log,
    consent,
    delegation,
    engines: async () => (await room()).engines,
    tiers: async () => (await room()).config.tiers,
    history: async () => (await room()).history(),
    before: async (handle) => (await room()).before(handle),
    openResult: (record, focus = 'take') => results.open(record, focus),
    refreshRuns: () => runs.refresh(),
  };
  const version = versionIn(context.extension.packageJSON);

  own(log);
  own(results.register());
  own(registerBeforeFiles((handle) => services.before(handle)));
  own(registerCommands(services));
  own(registerMcpProvider({ log, version, program: join(context.extensionPath, 'dist', 'mcp.cjs'), relay }));
}

/** The editor waits for this: no worker outlives its window. */
export async function deactivate(): Promise<void> {
  await shutdown();
}

function versionIn(manifest: unknown): string {
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return known && typeof manifest.version === 'string' ? manifest.version : '0.0.0';
}
