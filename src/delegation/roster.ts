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
  /** The configured or found binary of an engine, as an absolute path; a message when the configured one will not do. */
  locate(engine: Engine): Promise<{ file: string | undefined } | { problem: string }>;
  capture: typeof capture;
  /** The environment for version probes. */
  probeEnvironment(): Promise<Record<string, string>>;
}

/** Tells which CLIs can be used. A binary is asked who it is once, and again when its file changes. */
export class Roster {
  readonly #deps: RosterDeps;
  readonly #known = new Map<string, Promise<Readiness>>();

  constructor(deps: RosterDeps) {
    this.#deps = deps;
  }

  async ready(engine: Engine): Promise<Readiness> {
    const located = await this.#deps.locate(engine);
    if ('problem' in located) return { ok: false, reason: 'notInstalled', message: located.problem };
    const { file } = located;
    if (file === undefined) {
      return { ok: false, reason: 'notInstalled', message: `${engine.title} was not found. ${engine.installHint}` };
    }
    const key = `${engine.id} ${file} ${(await stat(file)).mtimeMs}`;
    const known = this.#known.get(key) ?? this.#identify(engine, file);
    this.#known.set(key, known);
    const readiness = await known;
    if (!readiness.ok) this.#known.delete(key);
    return readiness;
  }

  /** `--help` may exit 0 for anything (Codex prints its own help for an unknown word): only the text counts. */
  async #identify(engine: Engine, file: string): Promise<Readiness> {
    const env = await this.#deps.probeEnvironment();
    const ask = (flag: string) =>
      this.#deps.capture({ file, args: [flag], cwd: tmpdir(), env, timeoutMs: 15_000, maxBytes: 256 * 1024 });
    const answers = await Promise.all([ask('--version'), ask('--help')]);
    const text = answers.map((answer) => `${answer.stdout.toString('utf8')}\n${answer.stderr}`).join('\n');
    const identity = engine.identify(text);
    if (identity.ok) return { ok: true, installed: { binary: file, version: identity.version } };
    return { ok: false, reason: 'notInstalled', message: `${file}: ${identity.why} ${engine.installHint}` };
  }
}
