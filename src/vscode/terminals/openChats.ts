import type * as vscode from 'vscode';

const key = 'openCursorChats';

/** A chat that runs in a terminal of this window. `folder` is absolute. */
export interface OpenChat {
  chatId: string;
  folder: string;
}

/** A chat to open, and with which program. `env` is complete, `binary` absolute. */
export interface ChatToOpen extends OpenChat {
  binary: string;
  env: NodeJS.ProcessEnv;
}

/** Remembers which chats were open in this workspace, so that after a reload they can be offered again. */
export class OpenChats {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** Those that were not forgotten since: at the start of a window, the ones that ended with the one before. */
  list(): OpenChat[] {
    const kept = this.#state.get<unknown>(key);
    return Array.isArray(kept) ? kept.filter(isOpenChat) : [];
  }

  async add({ chatId, folder }: OpenChat): Promise<void> {
    const others = this.list().filter((other) => other.chatId !== chatId);
    await this.#state.update(key, [...others, { chatId, folder }]);
  }

  async forget(chatId: string): Promise<void> {
    const left = this.list().filter((other) => other.chatId !== chatId);
    await this.#state.update(key, left.length === 0 ? undefined : left);
  }
}

function isOpenChat(kept: unknown): kept is OpenChat {
  if (typeof kept !== 'object' || kept === null || !('chatId' in kept) || !('folder' in kept)) return false;
  // It becomes an argument of the agent.
  return typeof kept.chatId === 'string' && /^[0-9a-f][0-9a-f-]+$/.test(kept.chatId) && typeof kept.folder === 'string';
}
