import xterm from '@xterm/headless';
import type { TerminalSize } from './pty.ts';

/**
 * Keeps the screen that a terminal's output draws. What it would answer to device queries goes nowhere: the terminal that
 * the person sees answers them.
 */
export class PtyScreen {
  readonly #terminal: xterm.Terminal;

  constructor({ columns, rows }: TerminalSize) {
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 0,
      allowProposedApi: true,
      logLevel: 'off',
    });
  }

  /** Draws in time slices, so that others get their turn; `drawn` is called when this piece is on the screen. */
  write(data: string, drawn: () => void): void {
    this.#terminal.write(data, drawn);
  }

  resize({ columns, rows }: TerminalSize): void {
    this.#terminal.resize(columns, rows);
  }

  /** Whether arrow keys have to be sent in their other form (DECCKM). */
  get sendsApplicationArrows(): boolean {
    return this.#terminal.modes.applicationCursorKeysMode;
  }

  /** The visible rows, with everything that was written before this call; wrapped ones are joined. */
  async rows(): Promise<string[]> {
    await new Promise<void>((resolve) => this.#terminal.write('', resolve));
    const { active } = this.#terminal.buffer;
    const rows: string[] = [];
    let joins = false;
    for (let index = 0; index < this.#terminal.rows; index++) {
      const line = active.getLine(active.viewportY + index);
      const next = active.getLine(active.viewportY + index + 1);
      const continues = next?.isWrapped === true && index + 1 < this.#terminal.rows;
      const text = line?.translateToString(!continues, 0, continues ? widthOf(line, next) : undefined) ?? '';
      if (joins) rows.push(`${rows.pop() ?? ''}${text}`);
      else rows.push(text);
      joins = continues;
    }
    return rows;
  }
}

/** How much of a full row is text: a wide character that did not fit has left its last cell empty. */
function widthOf(line: xterm.IBufferLine, next: xterm.IBufferLine): number {
  const isLeftEmpty = line.getCell(line.length - 1)?.getCode() === 0 && next.getCell(0)?.getWidth() === 2;
  const isHalf = line.getCell(line.length - 1)?.getWidth() === 0;
  return isLeftEmpty && !isHalf ? line.length - 1 : line.length;
}
