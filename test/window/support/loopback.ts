import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ensureTool } from '../../../scripts/setup.ts';
import { createAgentHome } from '../../support/agentHomes.ts';
import { type ModelServer, startModelServer } from '../../support/modelServer/server.ts';

export interface Loopback {
  model: ModelServer;
  end(): Promise<void>;
}

/**
 * Points this extension host's Codex at a scripted model. Sallyport reads the environment with every run, and its own
 * state goes to a fresh folder as long as nothing has been delegated before.
 */
export async function connectCodex(): Promise<Loopback> {
  const model = await startModelServer();
  const home = await createAgentHome('codex', model.url);
  const state = await mkdtemp(join(tmpdir(), 'sallyport-state-'));
  const before = { ...process.env };
  Object.assign(process.env, home.env, { SALLYPORT_STATE_DIR: process.env.SALLYPORT_STATE_DIR ?? state });
  const settings = vscode.workspace.getConfiguration('sallyport');
  await settings.update('codex.path', await ensureTool('codex'), vscode.ConfigurationTarget.Global);
  return {
    model,
    async end() {
      for (const name of Object.keys(home.env)) process.env[name] = before[name];
      await model.close();
      await home.dispose();
      await rm(state, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
