import { composerRows, typed } from './composer.ts';
import { type Dialog, type Effect, moves } from './dialog.ts';
import type { Understood } from './log.ts';
import type { Choice, Offer, PromptText } from './promptText.ts';
import type { PlannedCall } from './scenario.ts';
import { atEnds, framed, wrap } from './text.ts';

/** How rows name keys that a terminal sends. */
const shownKeys: ReadonlyMap<string, string> = new Map([
  ['Escape', 'esc'],
  ['Tab', 'tab'],
  ['Shift+Tab', 'shift+tab'],
]);
/** These say themselves how they are rejected, and do it at once. */
const neverAsk = new Set<PromptText['kind']>(['delete', 'mcp', 'modeSwitch']);

/** The prompt of one call, and the box for the reason of its rejection. */
export class ApprovalDialog implements Dialog {
  readonly #call: PlannedCall;
  readonly #text: PromptText;
  #marked = 0;
  /** What has been typed into the box for the reason; undefined while the menu is shown. */
  #reason: string | undefined;

  constructor(call: PlannedCall, text: PromptText) {
    this.#call = call;
    this.#text = text;
  }

  get isTyping(): boolean {
    return this.#reason !== undefined;
  }

  rows(width: number): string[] {
    return this.#reason === undefined ? this.#menu(width) : this.#box(width, this.#reason);
  }

  receive(input: Understood): Effect {
    return this.#reason === undefined ? this.#inMenu(input) : this.#inBox(input, this.#reason);
  }

  #inMenu(input: Understood): Effect {
    if (!('key' in input)) return { did: 'nothing' };
    const { offers } = this.#text;
    const move = moves.get(input.key);
    if (move !== undefined) {
      this.#marked = Math.max(0, Math.min(offers.length - 1, this.#marked + move));
      return { did: `marked row ${this.#marked}` };
    }
    const key = shownKeys.get(input.key) ?? input.key.toLowerCase();
    const offer = input.key === 'Enter' ? offers[this.#marked] : offers.find(({ keys }) => keys.includes(key));
    return offer ? this.#choose(offer.choice, input.key) : { did: 'nothing' };
  }

  #choose(choice: Choice, by: string): Effect {
    const approved = { kind: 'approved', by } as const;
    if (choice === 'approve') return { did: 'approved', decision: approved };
    if (choice === 'allow') return { did: 'wrote the allowlist and approved', decision: approved, also: 'allow' };
    if (choice === 'everything') {
      return { did: 'switched Run Everything on and approved', decision: approved, also: 'everything' };
    }
    const asks = choice === 'propose' || (this.#call.reasonBox && !neverAsk.has(this.#text.kind));
    if (!asks) return { did: 'rejected', decision: { kind: 'rejected' } };
    this.#reason = '';
    return { did: 'opened the box for the reason' };
  }

  #inBox(input: Understood, reason: string): Effect {
    const draft = typed(reason, input);
    if (draft !== undefined) {
      this.#reason = draft;
      return { did: 'typed into the box for the reason' };
    }
    if ('key' in input && input.key === 'Enter') {
      return { did: 'rejected', decision: { kind: 'rejected', reason } };
    }
    if (!('key' in input) || input.key !== 'Escape') return { did: 'nothing' };
    this.#reason = undefined;
    return { did: 'went back to the menu' };
  }

  #menu(width: number): string[] {
    const { question, above, below, note } = this.#text;
    const asked = this.#call.hook === undefined ? question : `Hook requested approval: ${this.#call.hook}`;
    const inner = Math.max(10, width - 2);
    if (this.#call.shape === 'unknown') {
      return [...wrap(`${asked} ${[...above, ...below].join(' ')}`, width), '  [y]es / [n]o / [esc]'];
    }
    const offers = this.#offerRows(inner);
    if (this.#text.kind === 'modeSwitch') return this.#modeSwitch(width, offers);
    const reasons = note.flatMap((row) => wrap(row, inner));
    if (this.#call.shape === 'below') {
      const argument = below.flatMap((row) => wrap(row, inner - 2, '  '));
      return [...wrap(asked, inner), ...this.#target(), ...argument, ...reasons, ...offers];
    }
    return [
      '─'.repeat(width),
      ...above.flatMap((row) => wrap(row, inner, ' ')),
      ...(this.#text.kind === 'shell' ? [''] : []),
      ...wrap(asked, inner, ' '),
      ...this.#target().map((row) => ` ${row}`),
      ...reasons.map((row) => ` ${row}`),
      ...(this.#call.hook === undefined ? [] : ['']),
      ...offers.map((row) => ` ${row}`),
      '',
      ...this.#bottom(width),
    ];
  }

  /** Write prompts name their file below the question, whatever the shape. */
  #target(): string[] {
    const path = /^Write\((.+)\)$/.exec(this.#text.rule ?? '')?.[1];
    return this.#text.kind === 'write' && path !== undefined ? [`in ${path}`] : [];
  }

  #bottom(width: number): string[] {
    if (this.#call.shape === 'decision') {
      return composerRows({ placeholder: 'Waiting for decision (y/n/p)...', draft: '' }, width);
    }
    return [atEnds('', 'ctrl+r to review changed files', width - 1)];
  }

  #modeSwitch(width: number, offers: string[]): string[] {
    if (this.#call.shape === 'decision') {
      return composerRows({ placeholder: 'Approve mode switch (y/n)', draft: '' }, width);
    }
    return [
      ...framed([this.#text.question, ...this.#text.below, ...offers.map((row) => ` ${row}`)], width),
      '  auto-rejects when the bar runs out',
    ];
  }

  #offerRows(width: number): string[] {
    return this.#text.offers.flatMap((offer, index) => {
      const mark = this.#call.wording !== 'bare' && index === this.#marked ? ' → ' : '   ';
      const [first = '', ...rest] = wrap(this.#words(offer), width - 4);
      return [mark + first, ...rest.map((row) => `   ${row}`)];
    });
  }

  #words({ label, keys, choice }: Offer): string {
    if (this.#call.wording === 'bare' && choice === 'reject' && keys.includes('p')) return label.toLowerCase();
    return `${label} (${keys.join(' or ')})`;
  }

  #box(width: number, draft: string): string[] {
    const old = this.#call.wording !== 'new';
    const placeholder = old
      ? 'Reason for rejection (Enter to submit, Esc to cancel)'
      : 'Tell the agent what to do instead (Enter to send, empty to skip, Esc to cancel)';
    const subject = old ? [] : framed(this.#text.above.length > 0 ? this.#text.above : this.#text.below, width);
    return [...subject, ...composerRows({ placeholder, draft, hint: old ? '' : 'ctrl+c to stop', bars: !old }, width)];
  }
}
