import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { whosePrompt } from '../../src/cursor/tui/ownPrompt.ts';
import { readScreen } from '../../src/cursor/tui/prompts.ts';
import type { StoreLook } from './chat.ts';
import type { Redaction } from './redaction.ts';

/** What Sallyport makes of a screen. */
export interface Verdict {
  screen: string;
  /** Of the calls that are pending, whose prompt it is. */
  owner: 'none' | 'ambiguous' | 'call';
  recognised: boolean;
}

/** One line of the table at the end. */
export interface Result {
  kind: string;
  outcome: 'recognised' | 'not recognised' | 'no prompt appeared' | 'skipped' | 'not sent';
  detail: string;
}

/** Whether Sallyport would know this prompt, and whose it is. The box for a reason and the question of trust are nobody's. */
export function judge(rows: readonly string[], looks: readonly StoreLook[]): Verdict {
  const screen = readScreen(rows);
  const { kind: owner } = whosePrompt(
    screen,
    looks.flatMap(({ pending }) => pending),
  );
  const isNobodys = screen.kind === 'trust' || screen.kind === 'reasonBox';
  return { screen: screen.kind, owner, recognised: isNobodys || owner === 'call' };
}

/** Writes what was seen, redacted, into a folder. */
export class Records {
  readonly results: Result[] = [];
  readonly #folder: string;
  readonly #version: string;
  readonly #redaction: Redaction;
  #count = 0;

  /** `version`: of cursor-agent. */
  constructor(folder: string, version: string, redaction: Redaction) {
    this.#folder = folder;
    this.#version = version;
    this.#redaction = redaction;
  }

  /** Records one screen, with what the store says at the same time. */
  async add(kind: string, rows: readonly string[], looks: readonly StoreLook[]): Promise<Verdict> {
    const verdict = judge(rows, looks);
    this.#count += 1;
    const record = { kind, version: this.#version, ...verdict, stores: looks, rows: this.#redaction.rows(rows) };
    const name = `${String(this.#count).padStart(2, '0')}-${kind}.json`;
    await this.#write(name, record);
    const outcome = verdict.recognised ? 'recognised' : 'not recognised';
    this.note({
      kind,
      outcome,
      detail: `${name}: ${verdict.screen}${verdict.owner === 'ambiguous' ? ', ambiguous' : ''}`,
    });
    return verdict;
  }

  note(result: Result): void {
    this.results.push(result);
  }

  /** The table, as text; also written beside the records. */
  async finish(): Promise<string> {
    await this.#write('summary.json', { version: this.#version, results: this.results });
    const cells = [['kind', 'result', ''], ...this.results.map(({ kind, outcome, detail }) => [kind, outcome, detail])];
    const widths = [0, 1].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
    return cells
      .map((row) =>
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd(),
      )
      .join('\n');
  }

  async #write(name: string, value: unknown): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await writeFile(join(this.#folder, name), `${await this.#redaction.json(value)}\n`);
  }
}
