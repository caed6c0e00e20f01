import type { Demand } from './engine.ts';
import { isName } from './names.ts';

/** Bytes of one argument that every platform takes: Linux stops at 128 KB, and Windows has 32 KB for the whole line. */
const maxArgumentBytes = 100_000;

/** What no engine can honour, whatever its CLI: names that are none, and text that cannot be an argument. */
export function refusedInput({ model, effort, resume, instructions }: Demand): string | undefined {
  for (const [what, name] of [
    ['model', model],
    ['effort', effort],
    ['session', resume?.id],
  ] as const) {
    if (name !== undefined && !isName(name)) {
      return `${JSON.stringify(name.slice(0, 100))} is no valid ${what} name. Use letters, digits and ._:/@[]- only.`;
    }
  }
  return instructions === undefined ? undefined : refusedArgument('The instructions', instructions);
}

/** Why a text cannot be passed as one argument, or undefined. `what` begins the sentence. */
export function refusedArgument(what: string, text: string): string | undefined {
  if (text.includes('\0')) return `${what} contain a NUL character. Remove it, then try again.`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxArgumentBytes) return undefined;
  return `${what} take ${bytes} bytes; this CLI takes ${maxArgumentBytes} at most. Put the material in a file and name its path.`;
}

/** The reason an engine gives when it would have to work without a sandbox and nobody has agreed to that. */
export function needsConsent(title: string, access: Demand['access']): string {
  const what = access === 'full' ? 'give a worker full access' : 'let a worker write';
  return `${title} can only ${what} with its own approvals switched off and no sandbox around it. Allow that first (an editor asks; a server outside one needs SALLYPORT_ALLOW_UNSANDBOXED=1), or choose another agent.`;
}
