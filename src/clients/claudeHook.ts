import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hookScript, hookScriptName } from './claudeHookScript.ts';
import { type Edited, hasHook, withHook, withoutHook } from './claudeSettings.ts';
import { clientFolder, type Launcher } from './launcher.ts';
import { keepFile, replaceFile, textOf } from './ownFiles.ts';

/** How long it is remembered that a session was reminded. Days. */
const rememberDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

export interface ClaudeHookDeps {
  stateRoot: string;
  /** Absolute path of Claude Code's own folder: CLAUDE_CONFIG_DIR, or `.claude` in the home. */
  claudeFolder: string;
  platform: NodeJS.Platform;
  launcher: Pick<Launcher, 'writePlace' | 'exists'>;
}

/** Whether something was done, or why not. */
export type HookChange = { ok: true; changed: boolean } | { ok: false; why: string };

/** The reminder in Claude Code's settings, and what belongs to it in Sallyport's state folder. */
export class ClaudeHook {
  readonly #deps: ClaudeHookDeps;
  readonly #folder: string;
  readonly #script: string;
  /** Absolute path of the settings it stands in. */
  readonly settings: string;
  /** The settings as they were before Sallyport last changed them, where there were any. */
  readonly backup: string;

  constructor(deps: ClaudeHookDeps) {
    this.#deps = deps;
    this.#folder = clientFolder(deps.stateRoot);
    this.#script = join(this.#folder, hookScriptName);
    this.settings = join(deps.claudeFolder, 'settings.json');
    this.backup = join(deps.claudeFolder, 'settings.json.before-sallyport');
  }

  async isInstalled(): Promise<boolean> {
    return hasHook((await textOf(this.settings)) ?? '');
  }

  /** Puts it in. Nothing is written when it is there. */
  async install(): Promise<HookChange> {
    const change = await this.#change((text) => withHook(text, this.#script, this.#deps.platform));
    if (change.ok) await this.#writeScript();
    return change;
  }

  /** Takes it out again, and what it needed. */
  async remove(): Promise<HookChange> {
    const change = await this.#change(withoutHook);
    if (!change.ok) return change;
    await rm(this.#script, { force: true });
    await rm(join(this.#folder, 'nudged'), { recursive: true, force: true });
    if (!(await this.#deps.launcher.exists())) await rm(this.#folder, { recursive: true, force: true });
    return change;
  }

  /** Brings the script up to date and forgets old sessions, where it is in use. `now` in epoch milliseconds. */
  async refresh(now: number): Promise<void> {
    if ((await textOf(this.#script)) === undefined) return;
    await this.#writeScript();
    const nudged = join(this.#folder, 'nudged');
    for (const name of await readdir(nudged).catch(() => [])) {
      const { mtimeMs } = await stat(join(nudged, name)).catch(() => ({ mtimeMs: now }));
      if (now - mtimeMs > rememberDays * dayMs) await rm(join(nudged, name), { force: true });
    }
  }

  async #writeScript(): Promise<void> {
    await this.#deps.launcher.writePlace();
    await keepFile(this.#script, hookScript, 0o600);
  }

  async #change(edit: (text: string) => Edited): Promise<HookChange> {
    // The settings may be a link into somebody's dotfiles: what it leads to is replaced, the link stays.
    const file = await realpath(this.settings).catch(() => this.settings);
    const before = await textOf(file);
    const edited = edit(before ?? '');
    if (!edited.ok) return { ok: false, why: edited.why };
    if (edited.text === (before ?? '')) return { ok: true, changed: false };
    if (before === undefined) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await replaceFile(file, edited.text, 0o600);
      return { ok: true, changed: true };
    }
    const mode = (await stat(file)).mode & 0o777;
    await replaceFile(this.backup, before, mode);
    if ((await textOf(file)) !== before)
      return { ok: false, why: 'It was changed by another program just now. Try again.' };
    await replaceFile(file, edited.text, mode);
    return { ok: true, changed: true };
  }
}
