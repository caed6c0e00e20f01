import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ensureTool } from '../../../scripts/setup.ts';
import { createAgentHome } from '../../support/agentHomes.ts';
import { type ModelServer, startModelServer } from '../../support/modelServer/server.ts';

/** A Codex that talks to a scripted model. */
export interface Loopback {
  model: ModelServer;
  end(): Promise<void>;
}

/** One state folder for the whole host: Sallyport opens its own with the first run and keeps it. */
let state: Promise<string> | undefined;

async function useOwnState(): Promise<void> {
  state ??= mkdtemp(join(tmpdir(), 'sallyport-state-'));
  const folder = await state;
  process.env.SALLYPORT_STATE_DIR = folder;
}

after(async () => {
  if (state) await rm(await state, { recursive: true, force: true, maxRetries: 5 });
});

/** Sets this window's Codex to a scripted model, until ended. */
export async function connectCodex(): Promise<Loopback> {
  await useOwnState();
  const model = await startModelServer();
  const home = await createAgentHome('codex', model.url);
  await write({ 'codex.path': await ensureTool('codex'), environment: home.env });
  return {
    model,
    async end() {
      await write({ 'codex.path': undefined, environment: undefined });
      await model.close();
      await home.dispose();
    },
  };
}

async function write(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const all = vscode.workspace.getConfiguration('sallyport');
  for (const [name, value] of Object.entries(settings)) {
    await all.update(name, value, vscode.ConfigurationTarget.Global);
  }
}
