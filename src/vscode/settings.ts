import * as vscode from 'vscode';
import { type Config, type ConfigProblem, parseConfig, settingNames } from '../config.ts';

/**
 * The settings as they are now, parsed when they have changed. In Restricted Mode the editor itself leaves out what a
 * workspace says of the restricted ones. `tell` hears of values that were not used, of each once until it is another one.
 */
export class Settings implements vscode.Disposable {
  readonly #tell: (problems: readonly ConfigProblem[]) => void;
  #told: ReadonlySet<string> = new Set();
  readonly #subscription: vscode.Disposable;
  #config: Config | undefined;

  constructor(tell: (problems: readonly ConfigProblem[]) => void) {
    this.#tell = tell;
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
    const { config, problems } = parseConfig(Object.fromEntries(settingNames.map((name) => [name, written(name)])));
    const fresh = problems.filter(({ message }) => !this.#told.has(message));
    this.#told = new Set(problems.map(({ message }) => message));
    if (fresh.length > 0) this.#tell(fresh);
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
