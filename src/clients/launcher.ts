import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hookScriptName } from './claudeHookScript.ts';
import { type LauncherCommand, launcherCommand, launcherScript } from './launcherScript.ts';
import { keepFile, textOf } from './ownFiles.ts';
import { placeOf, placeText } from './place.ts';

export interface LauncherDeps {
  /** Absolute path of Sallyport's state folder. */
  stateRoot: string;
  /** Absolute path of the folder that this Sallyport was loaded from. */
  extension: string;
  /** Absolute path of what runs this process. */
  runtime: string;
  platform: NodeJS.Platform;
}

/** The part of the state folder that clients outside the editor know. */
export function clientFolder(stateRoot: string): string {
  return join(stateRoot, 'clients');
}

/** The way by which other clients start Sallyport, wherever an update has put it. */
export class Launcher {
  readonly #deps: LauncherDeps;
  readonly #folder: string;
  /** Absolute. */
  readonly path: string;

  constructor(deps: LauncherDeps) {
    this.#deps = deps;
    this.#folder = clientFolder(deps.stateRoot);
    this.path = join(this.#folder, launcherScript(deps.platform).name);
  }

  /** What a client is told to start. */
  get command(): LauncherCommand {
    return launcherCommand(this.#deps.platform, this.path);
  }

  async exists(): Promise<boolean> {
    return (await textOf(this.path)) !== undefined;
  }

  /** Makes it, or brings it up to date. Writes only what differs; of two versions of Sallyport the last to look wins. */
  async write(): Promise<void> {
    const program = await readFile(join(this.#deps.extension, 'dist', 'launcher.cjs'), 'utf8');
    await this.writePlace();
    await keepFile(join(this.#folder, 'launch.cjs'), program, 0o600);
    await keepFile(this.path, launcherScript(this.#deps.platform).text, 0o700);
  }

  /** Notes where this editor has Sallyport. */
  async writePlace(): Promise<void> {
    const place = placeOf(this.#deps.extension, this.#deps.runtime);
    const name = createHash('sha256').update(place.prefix).digest('hex').slice(0, 12);
    await keepFile(join(this.#folder, 'places', name), placeText(place), 0o600);
  }

  /** Takes it away. The places stay while the hook, which looks at them too, is there. */
  async remove(): Promise<void> {
    const hook = await textOf(join(this.#folder, hookScriptName));
    for (const name of [this.path, join(this.#folder, 'launch.cjs')]) await rm(name, { force: true });
    if (hook === undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}
