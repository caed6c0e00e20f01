import type { Place } from './target.ts';

/**
 * Arguments of tmux that show a pane in the terminal they are run in. That terminal must not bear TMUX, or tmux refuses to
 * run within itself.
 */
export function attachArguments(place: Extract<Place, { kind: 'tmux' }>): string[] {
  const { socket, pane } = place;
  const select = ['select-window', '-t', pane, ';', 'select-pane', '-Z', '-t', pane];
  return ['-S', socket, ...select, ';', 'attach-session', '-t', pane];
}
