import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Engine, SignIn } from '../engines/engine.ts';
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
  /** The text of a file in the CLI's first state folder, by its name there; undefined when it cannot be read. */
  readState(engine: Engine, env: Record<string, string>, file: string): Promise<string | undefined>;
}

/** What a CLI says of who is signed in. `silent`: it said nothing in time. `notAsked`: this version has no such question. */
export type SignInAnswer = SignIn | { state: 'silent' } | { state: 'notAsked' };

/** Milliseconds. */
const limits = { identity: 15_000, signIn: 5_000 };

type Located = { ok: true; file: string; changedAt: number } | { ok: false; why: string };

/** Who a binary is, and whether it can be asked who is signed in. */
interface Looked {
  readiness: Readiness;
  tellsSignIn: boolean;
}

/** Tells which CLIs can be used. A binary is asked who it is once, and again when its file changes. */
export class Roster {
  readonly #deps: RosterDeps;
  readonly #known = new Map<string, Promise<Looked>>();

  constructor(deps: RosterDeps) {
    this.#deps = deps;
  }

  async ready(engine: Engine): Promise<Readiness> {
    return (await this.#look(engine)).readiness;
  }

  /** Where its program is, without starting it. */
  where(engine: Engine): ReturnType<RosterDeps['locate']> {
    return this.#deps.locate(engine);
  }

  /** Asks a CLI that is ready who is signed in; anew each time, because a person signs in elsewhere. */
  async signIn(engine: Engine): Promise<SignInAnswer> {
    const { readiness, tellsSignIn } = await this.#look(engine);
    if (!readiness.ok) return { state: 'unknown' };
    const { args, read, ownService } = engine.signIn;
    const env = await this.#deps.probeEnvironment(engine);
    const configuration = ownService && (await this.#deps.readState(engine, env, ownService.file));
    const service = configuration === undefined ? undefined : ownService?.read(configuration);
    if (service !== undefined) return { state: 'signedIn', how: service };
    if (!tellsSignIn) return { state: 'notAsked' };
    const { timedOut, text } = await this.#ask(readiness.installed.binary, args, env, limits.signIn);
    return timedOut ? { state: 'silent' } : read(text);
  }

  async #look(engine: Engine): Promise<Looked> {
    const located = (await this.#locate(engine)) ?? (await this.#locateAnew(engine));
    if (!located.ok) {
      const message = `${located.why} ${engine.installHint}`;
      return { readiness: { ok: false, reason: 'notInstalled', message }, tellsSignIn: false };
    }
    const key = `${engine.id} ${located.file} ${located.changedAt}`;
    const known = this.#known.get(key) ?? this.#identify(engine, located.file);
    this.#known.set(key, known);
    const looked = await known;
    if (!looked.readiness.ok) this.#known.delete(key);
    return looked;
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
  async #identify(engine: Engine, file: string): Promise<Looked> {
    const env = await this.#deps.probeEnvironment(engine);
    const ask = (flag: string) => this.#ask(file, [flag], env, limits.identity);
    const answers = await Promise.all([ask('--version'), ask('--help')]);
    const text = answers.map((answer) => answer.text).join('\n');
    const [question = ''] = engine.signIn.args;
    const tellsSignIn = new RegExp(`^\\s+${question}\\b`, 'm').test(text);
    const identity = engine.identify(text);
    if (identity.ok)
      return { readiness: { ok: true, installed: { binary: file, version: identity.version } }, tellsSignIn };
    if (answers.some(({ timedOut }) => timedOut)) {
      const message = `${file} did not answer within ${limits.identity / 1000} s when it was asked for its version. \`${engine.binaries[0] ?? file} --version\` in a terminal shows what it waits for.`;
      return { readiness: { ok: false, reason: 'environment', message }, tellsSignIn };
    }
    const message = `${file}: ${identity.why} ${engine.installHint}`;
    return { readiness: { ok: false, reason: 'notInstalled', message }, tellsSignIn };
  }

  async #ask(file: string, args: readonly string[], env: Record<string, string>, timeoutMs: number) {
    const command = { file, args, cwd: tmpdir(), env, timeoutMs, maxBytes: 256 * 1024 };
    const { stdout, stderr, timedOut } = await this.#deps.capture(command);
    return { timedOut, text: `${stdout.toString('utf8')}\n${stderr}` };
  }
}
