/** What the git room needs of the process room: runs a program to its end and collects what it printed. */
export type Capture = (request: {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  input?: string | Buffer;
  timeoutMs: number;
  maxBytes: number;
  signal?: AbortSignal;
}) => Promise<{
  code: number | null;
  signal: string | null;
  stdout: Buffer;
  stderr: string;
  timedOut: boolean;
  truncated: boolean;
}>;

/** One git command in a private git folder (see `store.ts`), on somebody's work tree. */
export interface GitCommand {
  args: string[];
  /** Absolute. */
  gitFolder: string;
  /** Absolute. */
  workTree: string;
  input?: Buffer;
  /** How long it may take, in milliseconds; 20 s when left out. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/** Runs git so that nothing a repository says is executed. */
export interface Git {
  /** What git inherits: the caller's environment without its `GIT_*` variables. */
  readonly env: Readonly<Record<string, string>>;
  /** The settings that hold in a folder, last one wins. Keys as git prints them (section and name in lower case). */
  readConfig(cwd: string, signal?: AbortSignal): Promise<Map<string, string>>;
  /**
   * The commit that HEAD of a repository's (or worktree's) own git folder names; undefined before the first one. It reads
   * refs and configuration, and starts nothing.
   */
  resolveHead(gitFolder: string, signal?: AbortSignal): Promise<string | undefined>;
  /** The command's standard output. Throws `GitError` when it fails, is ended, takes too long or prints too much. */
  run(command: GitCommand): Promise<Buffer>;
}

/** Git ran and did not do what it was asked. `stderr` is in English, whatever the person's language. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly stderr: string;
  /** The exit code; null when it was ended or could not be started. */
  readonly code: number | null;

  constructor(message: string, stderr: string, code: number | null) {
    super(message);
    this.stderr = stderr;
    this.code = code;
  }
}

const usualMs = 20_000;
const maxBytes = 128 * 1024 * 1024;

/**
 * A repository's configuration is text that whoever writes in the workspace controls, and much of it names programs:
 * file-system monitors, hooks, filters, diff and pager commands, ssh commands, credential helpers. Overriding them one by
 * one loses to the next key git learns and to a key planted between the look and the run. So no command that looks at
 * files reads it: `run` only works in a private git folder that Sallyport writes, without system or user
 * configuration. `readConfig` and `resolveHead` alone read the repository's own: they look at no file and start nothing.
 *
 * @param env What git inherits. Its own `GIT_*` variables are dropped: they would point it somewhere else.
 */
export function createGit(options: { capture: Capture; binary: string; env: NodeJS.ProcessEnv }): Git {
  const inherited = withoutGitVariables(options.env);

  const execute = async (args: string[], cwd: string, env: Record<string, string>, more: ExecuteOptions) => {
    const { input, timeoutMs = usualMs, signal } = more;
    signal?.throwIfAborted();
    const ended = await options.capture({
      file: options.binary,
      args,
      cwd,
      env: { ...inherited, ...quiet, ...env },
      timeoutMs,
      maxBytes,
      ...(input && { input }),
      ...(signal && { signal }),
    });
    signal?.throwIfAborted();
    if (ended.code === 0 && !ended.timedOut && !ended.truncated) return ended.stdout;
    throw new GitError(`git ${args[0] ?? ''} ${describeEnd(ended, timeoutMs)}`, ended.stderr, ended.code);
  };

  return {
    env: inherited,
    async readConfig(cwd, signal) {
      return parseConfig(await execute(['config', '--list', '-z'], cwd, anyOwner, { signal }));
    },
    async resolveHead(gitFolder, signal) {
      const env = { ...anyOwner, GIT_DIR: gitFolder, ...noFetch };
      const named = execute(['rev-parse', '--verify', '--quiet', 'HEAD'], gitFolder, env, { signal });
      const text = await named.catch((error: unknown) => {
        // Quiet, it says nothing of a HEAD that names no commit yet.
        if (error instanceof GitError && error.stderr.trim() === '') return Buffer.alloc(0);
        throw error;
      });
      return /^[0-9a-f]{40,64}$/.exec(text.toString('latin1').trim())?.[0];
    },
    run({ args, gitFolder, workTree, ...more }) {
      return execute(args, workTree, isolation(gitFolder, workTree), more);
    },
  };
}

interface ExecuteOptions {
  input?: Buffer;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/** Nobody sits at a terminal, and paths are names, not patterns. */
const quiet = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_ASKPASS: '',
  GIT_LITERAL_PATHSPECS: '1',
};

/** A checkout that belongs to another user (a container's mount) is read all the same, since nothing in it is run. */
const anyOwner = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };
const noFetch = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '' };

/** HOME moves too, since a git older than 2.32 does not know GIT_CONFIG_GLOBAL. No protocol is allowed: nothing fetches. */
function isolation(gitFolder: string, workTree: string): Record<string, string> {
  return {
    GIT_DIR: gitFolder,
    GIT_WORK_TREE: workTree,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    ...noFetch,
    HOME: gitFolder,
    XDG_CONFIG_HOME: gitFolder,
  };
}

function withoutGitVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !/^git_/i.test(name)) kept[name] = value;
  }
  return kept;
}

/** `key LF value NUL`, or `key NUL` for a switch without a value. */
function parseConfig(listed: Buffer): Map<string, string> {
  const settings = new Map<string, string>();
  for (const item of listed.toString('utf8').split('\0')) {
    const end = item.indexOf('\n');
    if (end > 0) settings.set(item.slice(0, end), item.slice(end + 1));
    else if (item) settings.set(item, 'true');
  }
  return settings;
}

function describeEnd(ended: Awaited<ReturnType<Capture>>, timeoutMs: number): string {
  if (ended.timedOut) return `took longer than ${timeoutMs / 1000} s`;
  if (ended.truncated) return 'printed more than Sallyport reads';
  if (ended.signal) return `was ended by ${ended.signal}`;
  const lastLine = ended.stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
  return `failed with code ${ended.code ?? 'none'}${lastLine && `: ${lastLine}`}`;
}
