import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { RunInProgress } from './liveRun.ts';
import type { Redactor } from './redact.ts';
import type { RunFolders } from './runFolder.ts';
import { TranscriptWriter } from './transcript.ts';

export interface KeepsakeDeps {
  clock: Clock;
  log: Logger;
  redactor: Redactor;
  folders: RunFolders;
}

/**
 * Keeps what a run was asked and what it does, redacted, in its folder, which must be there. A disk that fails costs the
 * copy, never the run. Call the result when the worker is gone: it resolves when all is written.
 */
export function keepStory(run: RunInProgress, prompt: string, deps: KeepsakeDeps): () => Promise<void> {
  const { clock, log, redactor, folders } = deps;
  const report = (error: unknown) => log.warn(`run ${run.id}: its story is not kept: ${String(error)}`);
  const transcript = new TranscriptWriter(folders.transcriptFile(run.id), report);
  let asked: Promise<void> | undefined;
  // Not before the worker is up and waits for its model: until then it needs the processor.
  const keepPrompt = () => (asked ??= redactor.redact(prompt).then(({ text }) => folders.keepPrompt(run.id, text)));
  const events = run.onEvent((event) => {
    transcript.add(event, clock.now());
    keepPrompt().catch(report);
  });
  return async () => {
    events.dispose();
    await Promise.all([transcript.flush(), keepPrompt().catch(report)]);
  };
}
