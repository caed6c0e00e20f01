import { type Dialog, type Effect, moves } from './dialog.ts';
import type { Understood } from './log.ts';
import { framed } from './text.ts';

const choices = ['[a] Trust this workspace', '[q] Quit'];

/** The question whether to trust the folder, which comes before there is a chat. */
export class TrustDialog implements Dialog {
  readonly isTyping = false;
  readonly takesStop = true;
  readonly #folder: string;
  #marked = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  rows(width: number): string[] {
    const rows = choices.map((choice, index) => `${index === this.#marked ? '▶' : ' '} ${choice}`);
    return [
      '',
      ...framed(
        [
          ' ⚠ Workspace Trust Required',
          '',
          `   ${this.#folder}`,
          '',
          ...rows.map((row) => ` ${row}`),
          '',
          ' Use arrow keys to navigate, Enter to select, or press a key',
        ],
        width,
        '╭╮╰╯',
      ),
    ];
  }

  receive(input: Understood): Effect {
    const key = 'key' in input ? input.key : '';
    const move = moves.get(key);
    if (move !== undefined) this.#marked = Math.max(0, Math.min(1, this.#marked + move));
    const chosen = key === 'Enter' ? this.#marked : ['a', 'q'].indexOf(key);
    if (chosen === 0) return { did: 'trusted the folder', decision: { kind: 'approved', by: key } };
    if (chosen === 1 || key === 'Ctrl+C') return { did: 'quit', decision: { kind: 'rejected' } };
    return { did: move === undefined ? 'nothing' : `marked row ${this.#marked}` };
  }
}
