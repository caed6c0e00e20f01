import { oneLine } from '../base/displayText.ts';

/**
 * Text of an agent for a notification or an input's prompt. The editor turns `[label](command:…)` in such texts into a
 * link that runs the command, so that form is broken up.
 */
export function messageText(text: string, max = 300): string {
  return oneLine(text, max).replaceAll('](', '] (');
}
