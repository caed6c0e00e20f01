import { inOrder, type Mount } from './mounts.ts';

/** A sandbox as data: what a worker sees of the disk, and where it starts. */
export interface Plan {
  mounts: readonly Mount[];
  /** Absolute, as it is inside. */
  cwd: string;
  /** Whether this process is root's. */
  isRoot: boolean;
}

/**
 * The arguments of bwrap(1) that run a program in a sandbox. The program's environment is that of bwrap itself: on the
 * command line everybody could read it.
 *
 * - Nothing of the disk is there but what the plan names.
 * - Processes are in a namespace of their own, whose end is the end of all of them, and which ends with bwrap, as bwrap
 *   ends with its parent. No `--new-session`: a worker leads a session of its own already, and has no terminal.
 * - The network is shared: workers talk to their model service.
 * - No capabilities, also not root's, which could undo every mount. CAP_SETFCAP, in a user namespace where it reaches
 *   nothing outside, is what Linux wants of root before a namespace inside this one (Codex's own sandbox) may map root.
 */
export function bubblewrapArguments({ mounts, cwd, isRoot }: Plan, file: string, args: readonly string[]): string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--cap-drop', 'ALL', ...(isRoot ? ['--cap-add', 'CAP_SETFCAP'] : [])],
    ...inOrder([...ownFolders, ...mounts]).flatMap(argumentsOf),
    ...['--proc', '/proc', '--dev', '/dev', '--chdir', cwd, '--', file, ...args],
  ];
}

/** Every sandbox has these to itself. */
const ownFolders: readonly Mount[] = ['/tmp', '/var/tmp', '/run'].map((path) => ({ kind: 'empty', path }));

function argumentsOf(mount: Mount): string[] {
  switch (mount.kind) {
    case 'empty':
      return ['--tmpfs', mount.path];
    case 'readOnly':
      return ['--ro-bind', mount.from ?? mount.path, mount.path];
    case 'readOnlyIfThere':
      return ['--ro-bind-try', mount.path, mount.path];
    case 'readWrite':
      return ['--bind', mount.from ?? mount.path, mount.path];
    case 'link':
      return ['--symlink', mount.target, mount.path];
  }
}
