import { hasPressed, type Sending } from '../cursor/tui/steps.ts';
import type { Answer } from '../protocol/request.ts';

/**
 * What of earlier attempts' keys counts for the next one. A rejection whose menu is on the screen again begins anew; otherwise its
 * Escape stands, so that none follows it. Questions that were answered stay answered.
 */
export function carriedOver(answer: Answer, earlier: readonly Sending[], isMenuShown: boolean): Sending[] {
  switch (answer.kind) {
    case 'approve':
    case 'skip':
      return [];
    case 'reject':
      return isMenuShown ? [] : rejectionIn(earlier);
    case 'answers':
      return earlier.filter((each) => each.kind === 'type' || each.key === 'Enter');
  }
}

/** Whether these keys are the whole answer. */
export function isComplete(answer: Answer, sent: readonly Sending[]): boolean {
  switch (answer.kind) {
    case 'approve':
      return hasPressed(sent, 'y');
    case 'reject':
      return hasPressed(sent, 'Escape', 'n', 'Enter');
    case 'skip':
      return hasPressed(sent, 'Escape');
    case 'answers':
      return sent.filter((each) => each.kind === 'press' && each.key === 'Enter').length >= answer.answers.length;
  }
}

/** The key that rejected, and what was typed as the reason; an Enter that did nothing may be pressed again. */
function rejectionIn(earlier: readonly Sending[]): Sending[] {
  const start = earlier.findLastIndex(isRejection);
  return start === -1 ? [] : earlier.slice(start).filter((each) => each.kind === 'type' || each.key !== 'Enter');
}

function isRejection(sending: Sending): boolean {
  return sending.kind === 'press' && (sending.key === 'Escape' || sending.key === 'n');
}
