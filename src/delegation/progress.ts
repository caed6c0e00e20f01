import type { Clock } from '../base/clock.ts';
import { oneLine } from '../base/displayText.ts';
import type { Logger } from '../base/logger.ts';
import type { Entry } from '../journal/entry.ts';
import type { RunEvent } from '../protocol/model.ts';
import type { RunInProgress } from './liveRun.ts';
import type { Redactor } from './redact.ts';

export interface ProgressDeps {
  clock: Clock;
  log: Logger;
  redactor: Redactor;
  journal: { append(entry: Entry): Promise<void> };
}

/** Progress is a glance: what is longer costs time to look through and nobody reads it there. */
const maxEventChars = 4_000;

/** Redacts a text for progress. Of one that is too long the end is held back, since the cut may go through a secret. */
function glance(text: string, redactor: Redactor): string {
  if (text.length <= maxEventChars) return redactor.quick(text);
  return redactor.stream().push(text.slice(0, maxEventChars));
}

/** Lets a run's phase, its journal and its followers know of an event, redacted. */
export function followEvent(run: RunInProgress, raw: RunEvent, deps: ProgressDeps): void {
  const event = redacted(raw, deps.redactor);
  switch (event.kind) {
    case 'session':
      if (run.record.sessionId !== event.id) {
        run.learn({ sessionId: event.id });
        // While its file is there, whatever becomes of it during the run.
        deps.redactor.wake();
        void deps.journal.append({ type: 'session', at: deps.clock.now(), runId: run.id, sessionId: event.id });
      }
      break;
    case 'toolStarted':
      run.enter({ kind: 'running', step: oneLine(event.title, 120) });
      break;
    case 'message':
      run.enter({ kind: 'running', step: oneLine(event.text, 120) });
      // It may be the last one, and then it will be looked through as a whole.
      deps.redactor.wake();
      break;
    case 'retrying':
      run.enter({ kind: 'retrying', detail: oneLine(event.detail, 200) });
      break;
    case 'remark':
      deps.log.debug(`run ${run.id}: ${oneLine(event.text, 300)}`);
      break;
    case 'toolEnded':
    case 'fileChange':
    case 'warning':
    case 'usage':
      break;
  }
  run.tell(event);
}

function redacted(event: RunEvent, redactor: Redactor): RunEvent {
  const clean = (text: string) => glance(text, redactor);
  switch (event.kind) {
    case 'message':
    case 'warning':
    case 'remark':
      return { ...event, text: clean(event.text) };
    case 'toolStarted':
      return { ...event, title: clean(event.title) };
    case 'retrying':
      return { ...event, detail: clean(event.detail) };
    case 'session':
    case 'toolEnded':
    case 'fileChange':
    case 'usage':
      return event;
  }
}
