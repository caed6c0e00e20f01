import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import which from 'which';
import { createCursorApprovals, type CursorApprovals } from '../../src/approvals/cursorApprovals.ts';
import { systemClock } from '../../src/base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../src/base/disposable.ts';
import { createChatWatcher } from '../../src/cursor/session/watcher.ts';
import { createLocator } from '../../src/keys/locate.ts';
import { createTerminalLocks } from '../../src/keys/lock.ts';
import { capture } from '../../src/process/capture.ts';
import { createOpenFiles } from '../../src/process/openFiles.ts';
import { createProcessStates } from '../../src/process/processStates.ts';
import type { Answer, AnswerRecord, Delivery, PendingRequest } from '../../src/protocol/request.ts';
import type { AnswerReceipt } from '../../src/requests/source.ts';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** What a window has of approvals, on the real system: all but the editor. */
export class ApprovalWindow implements Disposable {
  readonly approvals: CursorApprovals;
  readonly ended: AnswerRecord[] = [];
  readonly problems: string[] = [];
  readonly #owned = new DisposableStore();

  /** The folder of the locks, for windows that share it. */
  readonly locks: string;

  constructor(roots: readonly string[], locks = mkdtempSync(join(tmpdir(), 'sp-locks-'))) {
    this.locks = locks;
    this.#owned.add(toDisposable(() => rmSync(locks, { recursive: true, force: true })));
    const clock = systemClock;
    const states = createProcessStates();
    const watcher = this.#owned.add(
      createChatWatcher({ roots, clock, openFiles: createOpenFiles(), processes: states, log }),
    );
    const locator = createLocator({
      owned: () => [],
      findTmux: async () => ({ ok: true, file: await which('tmux') }),
      capture,
      states,
      env: process.env,
      uid: process.getuid?.(),
    });
    const terminalLocks = createTerminalLocks({ folder: locks, states, clock });
    this.approvals = this.#owned.add(
      createCursorApprovals({ watcher, locator, locks: terminalLocks, clock, settleMs: () => 500, log }),
    );
    this.approvals.onDidEnd((record) => this.ended.push(record));
    this.approvals.onDidMeetProblem((problem) => this.problems.push(problem));
  }

  /** The first request that is as it should be, as soon as there is one. */
  async request(
    isIt: (request: PendingRequest) => boolean = canBeAnswered,
    timeoutMs = 10_000,
  ): Promise<PendingRequest> {
    return await this.#until(() => this.approvals.requests().find(isIt), timeoutMs, 'no such request');
  }

  answer({ id, hash }: PendingRequest, answer: Answer, anyway = false): AnswerReceipt {
    return this.approvals.answer({ id, hash, answer, anyway });
  }

  /** How the delivery of an answer fares once it does not wait or type any more. */
  async delivered({ id }: PendingRequest, timeoutMs = 15_000): Promise<Delivery | 'over'> {
    return await this.#until(
      () => {
        const request = this.approvals.requests().find((each) => each.id === id);
        if (!request) return 'over';
        return request.delivery?.state === 'sending' ? undefined : request.delivery;
      },
      timeoutMs,
      'still on its way',
    );
  }

  async end({ id }: PendingRequest, timeoutMs = 10_000): Promise<AnswerRecord> {
    return await this.#until(() => this.ended.find((each) => each.id === id), timeoutMs, 'not over');
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #until<T>(find: () => T | undefined, timeoutMs: number, problem: string): Promise<T> {
    for (const end = performance.now() + timeoutMs; ;) {
      const found = find();
      if (found !== undefined) return found;
      if (performance.now() > end)
        throw new Error(
          `${problem}: ${JSON.stringify({ requests: this.approvals.requests(), ended: this.ended }, undefined, 1)}`,
        );
      await delay(10);
    }
  }
}

export function canBeAnswered({ certainty, answerable }: PendingRequest): boolean {
  return certainty === 'waiting' && answerable.state === 'yes';
}
