import assert from 'node:assert/strict';
import { createCursorApprovals, type CursorApprovals } from '../../../src/approvals/cursorApprovals.ts';
import type { Answer, AnswerRecord, Delivery, PendingRequest } from '../../../src/protocol/request.ts';
import type { AnswerReceipt } from '../../../src/requests/source.ts';
import { FakeChats } from '../../support/fakes/chats.ts';
import { FakeClock } from '../../support/fakes/clock.ts';
import { FakeLocator, FakeLocks, FakeTerminal, passTime } from '../../support/fakes/terminal.ts';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Approvals with everything around them under the test's control. */
export class ApprovalsBench {
  readonly clock = new FakeClock();
  readonly chats = new FakeChats();
  readonly locator = new FakeLocator();
  readonly locks = new FakeLocks();
  /** The terminal of process 100. */
  readonly terminal = new FakeTerminal(this.clock);
  readonly approvals: CursorApprovals = this.openWindow();
  readonly ended: AnswerRecord[] = [];
  readonly problems: string[] = [];
  /** How often the requests were said to be different. */
  changes = 0;

  constructor() {
    this.locator.terminals.set(100, this.terminal);
    this.approvals.onDidEnd((record) => this.ended.push(record));
    this.approvals.onDidMeetProblem((problem) => this.problems.push(problem));
    this.approvals.onDidChange(() => (this.changes += 1));
  }

  /** Another window on the same chats and terminals. */
  openWindow(): CursorApprovals {
    const { chats: watcher, locator, locks, clock } = this;
    return createCursorApprovals({ watcher, locator, locks, clock, settleMs: () => 500, log });
  }

  pass(ms: number): Promise<void> {
    return passTime(this.clock, ms);
  }

  get requests(): readonly PendingRequest[] {
    return this.approvals.requests();
  }

  /** The one request there is. */
  get only(): PendingRequest {
    const [request, ...others] = this.requests;
    assert.ok(request && others.length === 0, `there are ${String(this.requests.length)} requests`);
    return request;
  }

  get delivery(): Delivery | undefined {
    return this.only.delivery;
  }

  answer(answer: Answer, request = this.only, anyway = false, approvals = this.approvals): AnswerReceipt {
    return approvals.answer({ id: request.id, hash: request.hash, answer, anyway });
  }

  get ends(): string[] {
    return this.ended.map(({ end }) => end);
  }
}

/** Whether an answer was refused, and why. */
export function refusal(receipt: AnswerReceipt): string | undefined {
  return receipt.taken ? undefined : receipt.reason;
}

export const approve: Answer = { kind: 'approve' };
export const reject: Answer = { kind: 'reject', reason: '' };
