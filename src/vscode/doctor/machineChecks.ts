import { readFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { panesOf, socketFolder, socketsIn } from '../../keys/tmuxServers.ts';
import { createTmux } from '../../keys/tmux.ts';
import { startPty } from '../../keys/pty.ts';
import { capture } from '../../process/capture.ts';
import type { L10n } from '../l10n.ts';
import { foldersOnDisk } from '../workspaceFolders.ts';
import type { Check } from './check.ts';
import type { DoctorDeps } from './doctorDeps.ts';
import {
  gitFinding,
  sandboxFinding,
  type SandboxFacts,
  terminalsFinding,
  tmuxFinding,
  type TmuxFacts,
} from './machineFindings.ts';
import { findInstallCommand, type InstallCommand } from './packageManagers.ts';

const limitMs = 5_000;

/** What of the machine Sallyport works with. */
export function machineChecks(deps: DoctorDeps, l10n: L10n): Check[] {
  const check = (id: string, title: string, look: Check['look']): Check => ({
    id,
    title,
    group: 'machine',
    startsPrograms: true,
    limitMs,
    look,
  });
  const find = (name: string) => deps.room.finder.find({ names: [name], nativeCandidates: () => [] });
  const install = () => findInstallCommand(process.platform, async (program) => (await find(program)).ok);
  return [
    check('sandbox', l10n.t('Sandbox'), async () => {
      const isInstalled = (await find('bwrap')).ok;
      return sandboxFinding(await lookAtSandbox(deps, isInstalled, await install()), l10n);
    }),
    check('tmux', 'tmux', async () => tmuxFinding(await lookAtTmux(deps, await install()), l10n)),
    check('terminals', l10n.t('Terminals of Sallyport’s own (node-pty)'), async () =>
      terminalsFinding(await openTerminal(), l10n),
    ),
    check('git', 'Git', async () => gitFinding({ place: await find('git'), install: await install() }, l10n)),
  ];
}

async function lookAtSandbox(
  { room }: DoctorDeps,
  isInstalled: boolean,
  install: InstallCommand,
): Promise<SandboxFacts> {
  // Where nothing is open, a folder that can be held stands for those that may be.
  const folder = foldersOnDisk()[0]?.uri.fsPath;
  const held = await readFile('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'utf8').catch(() => '0');
  return {
    platform: process.platform,
    mode: room.config.sandbox.mode,
    available: await room.sandboxes.available(folder ?? room.state.runs),
    isInstalled,
    isHeldByAppArmor: held.trim() === '1',
    install,
  };
}

async function lookAtTmux({ room }: DoctorDeps, install: InstallCommand): Promise<TmuxFacts> {
  const place = await room.findTmux();
  const none = { platform: process.platform, place, version: undefined, servers: 0, panes: 0, failures: [], install };
  const uid = process.getuid?.();
  if (!place.ok || uid === undefined) return none;
  const [asked, sockets] = await Promise.all([
    capture({ file: place.file, args: ['-V'], cwd: tmpdir(), env: {}, timeoutMs: limitMs, maxBytes: 1024 }),
    socketsIn(socketFolder(process.env, uid)),
  ]);
  const tmux = createTmux({ file: place.file, capture, env: process.env });
  const signal = AbortSignal.timeout(limitMs);
  const answers = await Promise.all(sockets.map((socket) => panesOf(tmux, socket, uid, signal)));
  const panes = answers.map((answer) => answer.panes.length);
  return {
    ...none,
    version: /tmux (\S+)/.exec(asked.stdout.toString('utf8'))?.[1],
    servers: panes.filter((count) => count > 0).length,
    panes: panes.reduce((sum, count) => sum + count, 0),
    failures: answers.flatMap(({ failed }) => failed ?? []),
  };
}

/** Why no terminal of our own can be opened; undefined when one was. */
async function openTerminal(): Promise<string | undefined> {
  const shell =
    process.platform === 'win32'
      ? { file: process.env.ComSpec ?? 'cmd.exe', args: ['/d', '/c', 'exit'] }
      : { file: '/bin/sh', args: ['-c', 'exit 0'] };
  try {
    const pty = await startPty({ ...shell, cwd: homedir(), env: process.env, size: { columns: 80, rows: 24 } });
    const { exitCode } = await new Promise<{ exitCode: number }>((resolve) => pty.onExit(resolve));
    return exitCode === 0 ? undefined : `${shell.file}: ${exitCode}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
