import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ClaudeHook } from '../../clients/claudeHook.ts';
import { Launcher } from '../../clients/launcher.ts';
import { addToClient } from './addToClient.ts';
import { ClientDocuments } from './clientDocuments.ts';
import type { ClientRoomDeps, ClientTools } from './clientTools.ts';
import { installClaudeHook, removeClaudeHook } from './hookCommands.ts';
import { removeFromClient } from './removeFromClient.ts';

/** Sallyport in clients outside the editor. */
export interface ClientRoom {
  add(): Promise<void>;
  remove(): Promise<void>;
  installHook(): Promise<void>;
  removeHook(): Promise<void>;
  /** Brings up to date what an update of Sallyport or the editor has made stale. Does nothing for who uses none of it. */
  refresh(): Promise<void>;
  dispose(): void;
}

/** Opens it. Looks for nothing and writes nothing until it is asked. */
export function openClientRoom(deps: ClientRoomDeps): ClientRoom {
  const { stateRoot, extension } = deps;
  const { platform, execPath: runtime } = process;
  const launcher = new Launcher({ stateRoot, extension, runtime, platform });
  const documents = new ClientDocuments(launcher.command);
  const hook = () => new ClaudeHook({ stateRoot, claudeFolder: claudeFolder(deps.variables()), platform, launcher });
  const tools: ClientTools = { ...deps, launcher, documents, hook };
  return {
    add: () => addToClient(tools),
    remove: () => removeFromClient(tools),
    installHook: () => installClaudeHook(tools),
    removeHook: () => removeClaudeHook(tools),
    async refresh() {
      if (await launcher.exists()) await launcher.write();
      await hook().refresh(Date.now());
    },
    dispose: () => documents.dispose(),
  };
}

/** Where Claude Code keeps its settings (code.claude.com/docs/en/settings). */
function claudeFolder(env: NodeJS.ProcessEnv): string {
  const named = env.CLAUDE_CONFIG_DIR;
  return named !== undefined && isAbsolute(named) ? named : join(homedir(), '.claude');
}
