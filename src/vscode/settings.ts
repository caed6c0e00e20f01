import * as vscode from 'vscode';
import type { Logger } from '../base/logger.ts';
import { type Config, parseConfig, settingNames } from '../config.ts';

/**
 * The settings as they are now, parsed when they have changed. In Restricted Mode the editor itself leaves out what a
 * workspace says of the restricted ones. A value that was not used is named in the log, once.
 */
export class Settings implements vscode.Disposable {
  readonly #log: Logger;
  readonly #subscription: vscode.Disposable;
  #config: Config | undefined;

  constructor(log: Logger) {
    this.#log = log;
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('sallyport')) this.#config = undefined;
    });
  }

  get config(): Config {
    this.#config ??= this.#read();
    return this.#config;
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #read(): Config {
    const written = vscode.workspace.getConfiguration('sallyport');
    const { config, problems } = parseConfig(Object.fromEntries(settingNames.map((name) => [name, written.get(name)])));
    for (const { message } of problems) this.#log.warn(message);
    return config;
  }
}
