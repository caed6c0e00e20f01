import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Engine } from '../engines/engine.ts';
import type { capture } from '../process/capture.ts';
import type { Failure } from '../protocol/model.ts';

/** A CLI that is there and is what its name says. */
export interface Installed {
  binary: string;
  version: string;
}

export type Readiness = { ok: true; installed: Installed } | ({ ok: false } & Failure);

export interface RosterDeps {
  /** The configured or found binary of an engine, as an absolute path, or why there is none. */
  locate(engine: Engine): Promise<{ ok: true; file: string } | { ok: false; why: string }>;
  /** Forgets what was found: the next look is a fresh one. */
  forget(): void;
  capture: typeof capture;
  /** What a program of that name may see while it is asked who it is. */
  probeEnvironment(engine: Engine): Promise<Record<string, string>>;
}

type Located = { ok: true; file: string; changedAt: number } | { ok: false; why: string };

/** Tells which CLIs can be used. A binary is asked who it is once, and again when its file changes. */
export class Roster {
  readonly #deps: RosterDeps;
  readonly #known = new Map<string, Promise<Readiness>>();

  constructor(deps: RosterDeps) {
    this.#deps = deps;
  }

  async ready(engine: Engine): Promise<Readiness> {
    const located = (await this.#locate(engine)) ?? (await this.#locateAnew(engine));
    if (!located.ok) {
      return { ok: false, reason: 'notInstalled', message: `${located.why} ${engine.installHint}` };
    }
    const key = `${engine.id} ${located.file} ${located.changedAt}`;
    const known = this.#known.get(key) ?? this.#identify(engine, located.file);
    this.#known.set(key, known);
    const readiness = await known;
    if (!readiness.ok) this.#known.delete(key);
    return readiness;
  }

  /** Undefined when what was found before is gone: a CLI that updates itself moves. */
  async #locate(engine: Engine): Promise<Located | undefined> {
    const found = await this.#deps.locate(engine);
    if (!found.ok) return found;
    const changedAt = await stat(found.file).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    return changedAt === undefined ? undefined : { ...found, changedAt };
  }

  async #locateAnew(engine: Engine): Promise<Located> {
    this.#deps.forget();
    return (await this.#locate(engine)) ?? { ok: false, why: 'Its program was there and is gone.' };
  }

  /** `--help` may exit 0 for anything (Codex prints its own help for an unknown word): only the text counts. */
  async #identify(engine: Engine, file: string): Promise<Readiness> {
    const env = await this.#deps.probeEnvironment(engine);
    const ask = (flag: string) =>
      this.#deps.capture({ file, args: [flag], cwd: tmpdir(), env, timeoutMs: 15_000, maxBytes: 256 * 1024 });
    const answers = await Promise.all([ask('--version'), ask('--help')]);
    const text = answers.map((answer) => `${answer.stdout.toString('utf8')}\n${answer.stderr}`).join('\n');
    const identity = engine.identify(text);
    if (identity.ok) return { ok: true, installed: { binary: file, version: identity.version } };
    return { ok: false, reason: 'notInstalled', message: `${file}: ${identity.why} ${engine.installHint}` };
  }
}
