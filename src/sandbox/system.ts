import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isInside } from '../base/inside.ts';
import type { Mount } from './mounts.ts';

/** Where distributions and package managers put programs and what programs need. Nothing of a person's own. */
const folders = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix', '/gnu', '/snap'],
  ...['/home/linuxbrew/.linuxbrew', '/run/current-system', '/var/lib/ca-certificates', '/var/lib/snapd'],
];

/** The system's folders, read-only. /etc/resolv.conf may lead to what a resolver writes elsewhere (/run, or /mnt in WSL). */
export async function systemMounts(): Promise<Mount[]> {
  const resolver = await realpath('/etc/resolv.conf').catch(() => '/etc/resolv.conf');
  const extra = isInside(resolver, '/etc') ? [] : [dirname(resolver)];
  return [...folders, ...extra].map((path) => ({ kind: 'readOnlyIfThere', path }));
}

/** Folders that many share, where services listen and temporary files of all programs lie. */
const shared = ['/tmp', '/var', '/var/tmp', '/run', '/dev', '/proc', '/sys'];

/** Whether a folder is no place for a worker to have as its own. */
export const isSystemFolder = (path: string) => [...folders, ...shared].includes(path);

/** Whether a path is there in every sandbox. */
export const isSystemPath = (path: string) => folders.some((folder) => isInside(path, folder));
