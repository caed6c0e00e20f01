import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';

/** The "Sallyport" output channel as the rooms' Logger. Its level is the one the person chose in the editor. */
export function openLog(): Logger & Disposable & { show(): void } {
  const channel = vscode.window.createOutputChannel('Sallyport', { log: true });
  return {
    debug: (message) => channel.debug(message),
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message) => channel.error(message),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}
