import { tmpdir } from 'node:os';
import type { Capture } from '../process/capture.ts';
import { bubblewrapArguments } from './bubblewrap.ts';
import { systemMounts } from './system.ts';

/** Whether workers can be put into a sandbox here; `why` says for people why not, and what to do. */
export type Availability = { ok: true; bwrap: string } | { ok: false; why: string };

export interface ProbeDeps {
  platform: NodeJS.Platform;
  isRoot: boolean;
  /** Absolute path of bwrap, if it is installed. */
  findBwrap: () => Promise<string | undefined>;
  capture: Capture;
}

const limitMs = 5_000;

/**
 * Asks by running it: bubblewrap that is installed may still be refused (AppArmor, a container, a kernel setting), and
 * no file tells all of these. A yes is remembered, a no is not: the person may have done something about it.
 */
export function createProbe(deps: ProbeDeps): () => Promise<Availability> {
  let known: Promise<Availability> | undefined;
  return async () => {
    const asked = (known ??= probe(deps));
    const answer = await asked;
    if (!answer.ok && known === asked) known = undefined;
    return answer;
  };
}

async function probe({ platform, isRoot, findBwrap, capture }: ProbeDeps): Promise<Availability> {
  if (platform !== 'linux') return { ok: false, why: 'Sallyport has a sandbox on Linux only' };
  const bwrap = await findBwrap();
  if (bwrap === undefined) {
    return { ok: false, why: 'bubblewrap is not installed (Debian, Ubuntu: sudo apt install bubblewrap)' };
  }
  const plan = { mounts: await systemMounts(), cwd: '/', isRoot };
  const { code, stderr, timedOut } = await capture({
    file: bwrap,
    args: bubblewrapArguments(plan, 'true', []),
    cwd: tmpdir(),
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin' },
    timeoutMs: limitMs,
    maxBytes: 4096,
  });
  if (code === 0) return { ok: true, bwrap };
  if (timedOut) return { ok: false, why: `bubblewrap did not start a program within ${limitMs / 1000} s` };
  return { ok: false, why: explain(stderr) };
}

/** By the wording of bubblewrap 0.8 to 0.11. */
const refusals: readonly { when: RegExp; says: string }[] = [
  {
    when: /setting up uid map|creating new namespace|no permissions to create|unshare|RTM_NEWADDR/i,
    says: 'this system does not let programs make user namespaces (Ubuntu: an AppArmor profile for bwrap allows it; containers: a security profile that does)',
  },
  {
    when: /can't mount proc|making \/ slave|pivot_root|mount/i,
    says: 'this system does not let bubblewrap mount folders (usual in containers)',
  },
];

function explain(stderr: string): string {
  const words = stderr.trim().split('\n').at(-1) ?? '';
  const says = refusals.find(({ when }) => when.test(words))?.says ?? 'bubblewrap could not start a program';
  return words === '' ? says : `${says}: ${words}`;
}
