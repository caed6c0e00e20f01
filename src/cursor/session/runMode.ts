import type { ChatMeta } from '../store/chatMeta.ts';

/** What a session asks a person about. `other`: a mode that is not known. */
export type ApprovalMode = 'allowlist' | 'autoReview' | 'unrestricted' | 'other';

export interface RunMode {
  /** Nothing is asked: every call runs by itself. */
  runEverything: boolean;
  /** Who says so: the store (it flips at once when the person switches it) or the arguments of the process. */
  saidBy: 'store' | 'arguments' | undefined;
  approvalMode: ApprovalMode;
}

const approvalModes: ReadonlyMap<string, ApprovalMode> = new Map([
  ['auto-review', 'autoReview'],
  ['unrestricted', 'unrestricted'],
]);

/** How a session decides, from its store and, where they are known, the arguments of its process. */
export function runModeOf(
  meta: Pick<ChatMeta, 'isRunEverything' | 'approvalMode'>,
  argv: readonly string[] = [],
): RunMode {
  const saidBy = meta.isRunEverything === true ? 'store' : runsEverything(argv) ? 'arguments' : undefined;
  const approvalMode =
    meta.approvalMode === undefined ? 'allowlist' : (approvalModes.get(meta.approvalMode) ?? 'other');
  return { runEverything: saidBy !== undefined, saidBy, approvalMode };
}

const flag = /^(?:--force|--yolo|-f)(?:=(.*))?$/s;
const off = /^(?:false|0|no|off)$/i;

/**
 * Whether the arguments of a cursor-agent process switch every question off: `--force`, `--yolo` or `-f`, alone or with a
 * value that does not mean off. The last one counts, and nothing behind a bare `--` does. `argv[0]` is the program.
 */
export function runsEverything(argv: readonly string[]): boolean {
  const end = argv.indexOf('--', 1);
  const last = argv
    .slice(1, end === -1 ? undefined : end)
    .map((argument) => flag.exec(argument))
    .findLast((match) => match !== null);
  return last !== undefined && !off.test(last[1] ?? '');
}
