import { resolve } from 'node:path';
import type { Clock } from '../../../src/base/clock.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { openStateFolders } from '../../../src/base/stateFolders.ts';
import { type Assembly, assembleDelegation, type AssemblySettings } from '../../../src/delegation/assembly.ts';

/** What it takes to delegate to CLIs of a test, as plain data that another process can be given. */
export interface Wiring {
  settings: AssemblySettings;
  /** Whether the person has agreed to workers without a sandbox. */
  readonly consent: boolean;
  /** Absolute paths. */
  readonly workspace: string;
  readonly state: string;
}

const quiet = (): void => undefined;
const log: Logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** Absolute path of a file of src/. */
export function source(path: string): string {
  return resolve(import.meta.dirname, '../../../src', path);
}

/** The delegation of a standalone server, from source. Its owner disposes of it. */
export function assemble(wiring: Wiring, clock: Clock): Promise<Assembly> {
  const { consent, workspace, state } = wiring;
  return assembleDelegation({
    kind: 'standalone',
    clock,
    log,
    state: openStateFolders(state).folders,
    settings: () => wiring.settings,
    consent: { given: () => consent },
    workspaceFolders: () => [workspace],
    environment: process.env,
    guard: { file: process.execPath, args: [source('process/guardMain.ts')], env: process.env },
    redactWorker: source('delegation/redactWorker.ts'),
    depth: 0,
  });
}
