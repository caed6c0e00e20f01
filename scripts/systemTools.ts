import { existsSync } from 'node:fs';
import { join } from 'node:path';
import which from 'which';
import { mustRun } from './command.ts';
import { withLockFile } from './lockFile.mjs';
import { toolCacheFolder } from './toolCache.ts';

export const systemToolNames = ['git', 'tmux', 'bubblewrap', 'chromium'] as const;
export type SystemToolName = (typeof systemToolNames)[number];

interface SystemTool {
  /** Names it may have in PATH, and places outside of it. */
  readonly binaries: readonly string[];
  readonly debianPackage: string;
  /** Null where the tool does not exist. */
  readonly brewPackage: string | null;
}

const systemTools: Record<SystemToolName, SystemTool> = {
  git: { binaries: ['git'], debianPackage: 'git', brewPackage: 'git' },
  tmux: { binaries: ['tmux'], debianPackage: 'tmux', brewPackage: 'tmux' },
  bubblewrap: { binaries: ['bwrap'], debianPackage: 'bubblewrap', brewPackage: null },
  chromium: {
    binaries: [
      'chromium',
      'chromium-browser',
      'google-chrome-stable',
      'google-chrome',
      'microsoft-edge',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    debianPackage: 'chromium',
    brewPackage: '--cask chromium',
  },
};

/**
 * Finds a system tool, or installs it with apt when root on Debian. Returns its absolute path. Rejects with the command
 * that installs it, where this process may not.
 */
export async function ensureSystemTool(name: SystemToolName): Promise<string> {
  const tool = systemTools[name];
  const found = await find(tool.binaries);
  if (found !== null) return found;
  if (!canUseApt()) throw new Error(`${name} is not installed. ${advice(tool)}`);
  process.stderr.write(`Sallyport: installing ${name} with apt-get\n`);
  await withLockFile(join(toolCacheFolder(), 'apt.lock'), () => aptInstall(tool.debianPackage));
  const installed = await find(tool.binaries);
  if (installed === null) throw new Error(`${name}: apt-get installed ${tool.debianPackage}, yet it is not in PATH`);
  return installed;
}

async function find(binaries: readonly string[]): Promise<string | null> {
  for (const binary of binaries) {
    const path = await which(binary, { nothrow: true });
    if (path !== null) return path;
  }
  return null;
}

function canUseApt(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

async function aptInstall(name: string): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await mustRun('apt-get', ['update'], { env });
  await mustRun('apt-get', ['install', '-y', '--no-install-recommends', name], { env });
}

function advice(tool: SystemTool): string {
  if (process.platform === 'linux') return `Install it with: sudo apt-get install -y ${tool.debianPackage}`;
  if (process.platform === 'darwin' && tool.brewPackage !== null)
    return `Install it with: brew install ${tool.brewPackage}`;
  return 'It is not available on this system.';
}
