import { join } from 'node:path';
import type { Vsix } from './package.ts';

/** The variables with what lets publish. Their values are passed on to the one program that needs them, and go nowhere else. */
export const tokenNames = ['VSCE_PAT', 'OVSX_PAT'] as const;
type TokenName = (typeof tokenNames)[number];

/** One program to run. */
export interface ReleaseStep {
  /** For people: `Marketplace linux-x64`. */
  readonly title: string;
  /** Whether others can see what it did. */
  readonly publishes: boolean;
  readonly command: string;
  readonly args: readonly string[];
  /** From the root of the repository. */
  readonly cwd: string;
  /** The one token in its environment. */
  readonly token: TokenName | undefined;
}

interface Store {
  readonly name: string;
  readonly program: string;
  readonly token: TokenName;
}

const ovsxFolder = join('tools', 'ovsx');
const stores: readonly Store[] = [
  { name: 'Marketplace', program: join('node_modules', '@vscode', 'vsce', 'vsce'), token: 'VSCE_PAT' },
  { name: 'Open VSX', program: join(ovsxFolder, 'node_modules', 'ovsx', 'bin', 'ovsx'), token: 'OVSX_PAT' },
];

/**
 * What a release runs, in its order: what publishes to Open VSX is installed first, and the tag is set when all is published.
 * `path` of the packages is from the root of the repository.
 */
export function releaseSteps(packages: readonly Pick<Vsix, 'target' | 'path'>[], tag: string): ReleaseStep[] {
  const quiet = { publishes: false, token: undefined };
  const publishing = stores.flatMap(({ name, program, token }) =>
    packages.map(({ target, path }): ReleaseStep => {
      const args = [program, 'publish', '--packagePath', path, '--skip-duplicate'];
      return { title: `${name} ${target}`, publishes: true, command: 'node', args, cwd: '.', token };
    }),
  );
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  return [
    { ...quiet, title: 'install ovsx', command: 'npm', args: install, cwd: ovsxFolder },
    ...publishing,
    { ...quiet, title: 'tag', command: 'git', args: ['tag', '-a', tag, '-m', tag], cwd: '.' },
  ];
}

/** The step as one would type it, with where its token comes from. */
export function describeStep({ command, args, cwd, token }: ReleaseStep): string {
  const place = cwd === '.' ? '' : `cd ${cwd} && `;
  return `${place}${[command, ...args].join(' ')}${token === undefined ? '' : `   (with ${token})`}`;
}

/** The environment of a step: that of this process with its own token alone. */
export function environmentOf({ token }: ReleaseStep, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = tokenNames.filter((name) => name !== token);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !others.some((other) => other === name)));
}

/** Runs the steps in turn. Rejects at the first that fails, with what is published by then and how to go on. */
export async function runSteps(
  steps: readonly ReleaseStep[],
  run: (step: ReleaseStep) => Promise<void>,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    try {
      await run(step);
    } catch (error) {
      throw new Error(failure(steps, index, error instanceof Error ? error.message : String(error)), { cause: error });
    }
  }
}

function failure(steps: readonly ReleaseStep[], at: number, why: string): string {
  const titles = (part: readonly ReleaseStep[]) =>
    part
      .filter(({ publishes }) => publishes)
      .map(({ title }) => title)
      .join(', ') || 'nothing';
  return [
    `${steps[at]?.title ?? ''} failed: ${why}`,
    `Published: ${titles(steps.slice(0, at))}.`,
    `Not published: ${titles(steps.slice(at))}.`,
    'Mend what it says and run the same command again: what is published is passed over. If a file has to change for that, raise the version.',
  ].join('\n');
}

/** Takes the tokens out of what a program printed. */
export function withoutTokens(text: string, env: NodeJS.ProcessEnv): string {
  return tokenNames.reduce((left, name) => (env[name] ? left.replaceAll(env[name], `<${name}>`) : left), text);
}
