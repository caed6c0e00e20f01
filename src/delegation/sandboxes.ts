import { homedir } from 'node:os';
import { findRepository } from '../git/repository.ts';
import { capture } from '../process/capture.ts';
import type { BinaryFinder } from '../process/findBinary.ts';
import { createProbe } from '../sandbox/probe.ts';
import { createSandbox, type SandboxSettings } from '../sandbox/sandbox.ts';
import type { Sandboxes } from './confinement.ts';

/** What the person's settings say of the sandbox. */
export interface SandboxesSettings extends SandboxSettings {
  readonly mode: 'auto' | 'off';
}

/** The sandboxes of this machine, where the person has not switched them off. Settings are read anew for every run. */
export function openSandboxes(settings: () => SandboxesSettings, finder: BinaryFinder): Sandboxes {
  const uid = process.getuid?.();
  const sandbox = createSandbox({
    probe: createProbe({
      platform: process.platform,
      isRoot: uid === 0,
      async findBwrap() {
        const found = await finder.find({ names: ['bwrap'], nativeCandidates: () => [] });
        return found.ok ? found.file : undefined;
      },
      capture,
    }),
    settings,
    home: homedir(),
    uid,
  });
  const off = { ok: false, why: 'sallyport.sandbox.mode is off' } as const;
  return {
    available: async (cwd) => (settings().mode === 'off' ? off : sandbox.available(cwd)),
    async prepare(request) {
      const repository = await findRepository(request.workspace);
      return sandbox.prepare({ ...request, ...(repository && { repository }) });
    },
  };
}
