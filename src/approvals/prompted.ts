import { claimants } from '../cursor/tui/ownPrompt.ts';
import type { Screen } from '../cursor/tui/prompts.ts';
import type { AskedCall } from './askedCall.ts';

/** What a screen says about the calls that are pending in its terminal. */
export interface Prompted {
  /** The requests whose own prompt it shows: several when they look the same. */
  ids: ReadonlySet<string>;
  /** Whether it shows something known, which may be that nothing is asked. */
  recognised: boolean;
  /** It asks for the reason of a rejection. */
  asksReason: boolean;
}

const prompts: readonly Screen['kind'][] = ['approval', 'modeSwitch', 'question'];

/**
 * Whose prompt the screen shows. The box for the reason may show nothing of the call: then it belongs to the prompt that
 * was there `before`, and so does what somebody types into it.
 */
export function promptedBy(screen: Screen, calls: readonly AskedCall[], before: Prompted | undefined): Prompted {
  const claiming = new Set(
    claimants(
      screen,
      calls.map(({ call }) => call),
    ),
  );
  const own = calls.filter(({ call }) => claiming.has(call)).map(({ id }) => id);
  const goesOn = screen.kind === 'reasonBox' || (screen.kind === 'draft' && before?.asksReason === true);
  const ids = own.length === 0 && goesOn ? (before?.ids ?? []) : own;
  return { ids: new Set(ids), recognised: ids !== own || isRecognised(screen, own.length > 0), asksReason: goesOn };
}

/** Whether a screen shows something known: not words of an unknown version, nor a prompt that belongs to no pending call. */
export function isRecognised(screen: Screen, isOfPending: boolean): boolean {
  return isOfPending || (screen.kind !== 'unclear' && !prompts.includes(screen.kind));
}
