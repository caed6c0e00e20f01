import * as vscode from 'vscode';
import type { Logger } from '../base/logger.ts';
import { type Config, type ConfigProblem, parseConfig, settingNames } from '../config.ts';

/**
 * The settings as they are now, parsed when they have changed. In Restricted Mode the editor itself leaves out what a
 * workspace says of the restricted ones. A value that was not used is named in the log, and told of once until it is
 * mended.
 */
export class Settings implements vscode.Disposable {
  readonly #log: Logger;
  readonly #tell: (problem: ConfigProblem) => unknown;
  readonly #subscription: vscode.Disposable;
  #config: Config | undefined;
  #told: ReadonlySet<string> = new Set();

  constructor(log: Logger, tell: (problem: ConfigProblem) => unknown) {
    this.#log = log;
    this.#tell = tell;
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('sallyport')) return;
      // The person is looking at the setting now, and should hear now what is wrong with it.
      this.#config = this.#read();
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
    const { config, problems } = parseConfig(Object.fromEntries(settingNames.map((name) => [name, written(name)])));
    for (const problem of problems) {
      this.#log.warn(problem.message);
      if (!this.#told.has(problem.message)) this.#tell(problem);
    }
    this.#told = new Set(problems.map(({ message }) => message));
    return config;
  }
}

/** Settings that are maps: what the workspace says of one entry leaves the person's others in place. */
const maps: ReadonlySet<string> = new Set(['tiers', 'fastTiers', 'environment', 'sandbox.extraPaths']);

/**
 * What was written of a setting, the workspace's before the person's; undefined when nothing was. The editor's own answer
 * would fill what an object leaves out from the default: a rung that names another agent would get our model and effort.
 */
function written(name: string): unknown {
  const found = vscode.workspace.getConfiguration('sallyport').inspect<unknown>(name);
  const layers = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].filter(
    (value) => value !== undefined,
  );
  return maps.has(name) && layers.length > 1 && layers.every(isMap) ? Object.assign({}, ...layers) : layers.at(-1);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
