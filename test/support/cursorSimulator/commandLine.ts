/** What the arguments ask for. */
export type Command =
  | { kind: 'version' | 'help' }
  | { kind: 'createChat' }
  /** `prompt`: sent as the first message. `force`: nothing is asked. */
  | { kind: 'interactive'; resume: string | undefined; force: boolean; prompt: string | undefined }
  | { kind: 'unknown'; argument: string };

const force = /^(?:--force|--yolo|-f)(?:=(?<value>.*))?$/;
const off = new Set(['false', '0', 'no', 'off']);

/** Reads the arguments behind the program's name. */
export function parseCommand(argv: readonly string[]): Command {
  const end = argv.indexOf('--');
  const flags = end === -1 ? [...argv] : argv.slice(0, end);
  const words = end === -1 ? [] : argv.slice(end + 1);
  const command = { kind: 'interactive' as const, resume: undefined as string | undefined, force: false };
  for (let flag = flags.shift(); flag !== undefined; flag = flags.shift()) {
    const isForce = force.exec(flag);
    if (flag === '--version' || flag === '-v') return { kind: 'version' };
    if (flag === '--help' || flag === '-h') return { kind: 'help' };
    if (flag === 'create-chat') return { kind: 'createChat' };
    if (isForce) command.force = !off.has(isForce.groups?.value?.toLowerCase() ?? '');
    else if (flag === '--resume') command.resume = flags.shift();
    else if (flag.startsWith('--resume=')) command.resume = flag.slice('--resume='.length);
    else if (flag.startsWith('-')) return { kind: 'unknown', argument: flag };
    else words.push(flag);
  }
  return { ...command, prompt: words.length === 0 ? undefined : words.join(' ') };
}
