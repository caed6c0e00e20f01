import { existsSync, globSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { mustRun } from './command.ts';
import { cachedTool } from './toolCache.ts';

export const npmToolNames = ['codex', 'claude', 'grok', 'code-server'] as const;
export type NpmToolName = (typeof npmToolNames)[number];

interface NpmTool {
  /** Glob of what is run, below the tool's node_modules: the native binary, never the wrapper npm puts before it. */
  readonly executable: string;
  /** What the packages' own install scripts would do; npm runs none of them here. */
  readonly finish?: (modules: string) => Promise<void>;
}

const exe = process.platform === 'win32' ? '.exe' : '';
const target = `${process.platform}-${process.arch}`;

const npmTools: Record<NpmToolName, NpmTool> = {
  codex: { executable: `@openai/codex-${target}/vendor/*/bin/codex${exe}` },
  claude: { executable: `@anthropic-ai/claude-code-${target}/claude${exe}` },
  grok: { executable: `@xai-official/grok/bin/grok-native${exe}`, finish: unpackGrok },
  'code-server': { executable: 'code-server/out/node/entry.js', finish: finishCodeServer },
};

/** Installs a tool unless the cache has it. Returns the absolute path of what is run (for code-server, by Node). */
export async function ensureNpmTool(name: NpmToolName): Promise<string> {
  const { executable, finish } = npmTools[name];
  const folder = await cachedTool(name, async (scratch) => {
    const started = Date.now();
    process.stderr.write(`Sallyport: installing ${name} for the tests\n`);
    await npm(['ci', `--workspace=${name}`], scratch);
    const modules = join(scratch, 'node_modules');
    await finish?.(modules);
    await checkStarts(locate(modules, executable));
    process.stderr.write(`Sallyport: installed ${name} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
  });
  return locate(join(folder, 'node_modules'), executable);
}

function locate(modules: string, pattern: string): string {
  const [found] = globSync(pattern, { cwd: modules });
  if (found === undefined) throw new Error(`the package has no ${pattern} (is there a build for ${target}?)`);
  return join(modules, found);
}

async function npm(args: readonly string[], cwd: string): Promise<void> {
  await mustRun('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund'], { cwd });
}

/** A tool that does not answer --version would fail every test that needs it, less clearly. */
async function checkStarts(executable: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'sallyport-home-'));
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  const [command, ...args] = executable.endsWith('.js') ? [process.execPath, executable] : [executable];
  try {
    await mustRun(command, [...args, '--version'], { env, timeout: 60_000 });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** The platform package carries the binary compressed; its install script would unpack it and also write to ~/.grok. */
async function unpackGrok(modules: string): Promise<void> {
  const compressed = join(modules, `@xai-official/grok-${target}`, 'bin', `grok${exe}.br`);
  const binary = join(modules, '@xai-official', 'grok', 'bin', `grok-native${exe}`);
  await writeFile(binary, await promisify(brotliDecompress)(await readFile(compressed)));
  await chmod(binary, 0o755);
  await rm(compressed);
}

/**
 * The editor inside code-server has its own dependencies, pinned by the npm-shrinkwrap.json it ships. `npm ci` refuses
 * that file (one optional package is missing from it); `npm install` keeps to it. The native modules without prebuilt
 * binaries stay unbuilt: they cost minutes and only silence log lines.
 */
async function finishCodeServer(modules: string): Promise<void> {
  const editor = join(modules, 'code-server', 'lib', 'vscode');
  await npm(['install', '--omit=dev'], editor);
  await npm(['install', '--omit=dev'], join(editor, 'extensions'));
  const system = process.platform === 'darwin' ? 'darwin' : 'linux';
  await link(`code-${system}.sh`, join(editor, 'bin', 'remote-cli', 'code-server'));
  await link(`browser-${system}.sh`, join(editor, 'bin', 'helpers', 'browser.sh'));
}

async function link(to: string, path: string): Promise<void> {
  if (process.platform === 'win32' || existsSync(path)) return;
  await symlink(to, path);
}
