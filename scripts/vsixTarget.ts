/** The platforms with a package of their own, as `vsce package --target` names them: those that node-pty has binaries for. */
export const platformTargets = [
  'linux-x64',
  'linux-arm64',
  'darwin-x64',
  'darwin-arm64',
  'win32-x64',
  'win32-arm64',
] as const;
type PlatformTarget = (typeof platformTargets)[number];

/** `universal` is for every other platform: without node-pty, hence without terminals of Sallyport's own. */
export type VsixTarget = PlatformTarget | 'universal';
export const vsixTargets: readonly VsixTarget[] = [...platformTargets, 'universal'];

/** The target of the machine this runs on. */
export function hostTarget(): VsixTarget {
  return platformTargets.find((target) => target === `${process.platform}-${process.arch}`) ?? 'universal';
}

/** The file that `target` is packaged into, without its folder, as vsce itself would name it. */
export function vsixName(target: VsixTarget, { name, version }: { name: string; version: string }): string {
  return target === 'universal' ? `${name}-${version}.vsix` : `${name}-${target}-${version}.vsix`;
}

interface PtyParts {
  readonly lib: readonly string[];
  readonly natives: readonly string[];
  /** Of the natives: started as a program. */
  readonly programs?: readonly string[];
}

const posixLib = ['unixTerminal'];

/**
 * What node-pty 1.2.0-beta.15 loads on a system. On Windows it has a pseudoconsole of its own besides (conpty/), which is
 * used only with `useConptyDll`.
 */
const ptyParts: Readonly<Record<string, PtyParts>> = {
  linux: { lib: posixLib, natives: ['pty.node'] },
  darwin: { lib: posixLib, natives: ['pty.node', 'spawn-helper'], programs: ['spawn-helper'] },
  win32: {
    lib: [
      'windowsTerminal',
      'windowsPtyAgent',
      'windowsConoutConnection',
      'worker/conoutSocketWorker',
      'shared/conout',
      'conpty_console_list_agent',
    ],
    natives: ['conpty.node', 'conpty_console_list.node'],
  },
};

/** One file of node-pty, by its path in that package. */
export interface PtyFile {
  readonly path: string;
  readonly kind: 'text' | 'native' | 'program';
}

/** The files of node-pty that are loaded on a target, and no others. */
export function ptyFiles(target: VsixTarget): PtyFile[] {
  const { lib, natives, programs = [] } = ptyParts[target.split('-')[0] ?? ''] ?? { lib: [], natives: [] };
  if (natives.length === 0) return [];
  const common = ['index', 'terminal', 'utils', 'eventEmitter2'];
  return [
    ...['package.json', 'LICENSE', ...[...common, ...lib].map((name) => `lib/${name}.js`)].map((path): PtyFile => ({
      path,
      kind: 'text',
    })),
    ...natives.map((name): PtyFile => ({
      path: `prebuilds/${target}/${name}`,
      kind: programs.includes(name) ? 'program' : 'native',
    })),
  ];
}
