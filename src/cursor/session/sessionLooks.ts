import type { Clock } from '../../base/clock.ts';
import type { OpenFiles } from '../../process/openFiles.ts';
import { type Liveness, sessionsOf } from './liveness.ts';
import { oneAtATime } from './oneAtATime.ts';

/** Asks who holds a store. Never rejects; the answer is not older than the question. */
export type LookAtSession = (storeFile: string) => Promise<Liveness>;

/** Looking goes through all processes of the machine, so it rests in between. */
const restMs = 100;

/** Gathers the questions of many chats into one look at the machine's processes. */
export function createSessionLooks(openFiles: OpenFiles, clock: Clock): LookAtSession {
  let wanted = new Map<string, PromiseWithResolvers<Liveness>>();
  const pass = oneAtATime(async () => {
    // Whoever asks in the same turn is served as well.
    await new Promise((resolve) => setImmediate(resolve));
    const asked = [...wanted];
    wanted = new Map();
    const sessions = await sessionsOf(
      asked.map(([file]) => file),
      openFiles,
    );
    for (const [index, [, answer]] of asked.entries()) {
      answer.resolve(sessions[index] ?? { state: 'unknown', why: 'Nobody answered who has the chat open.' });
    }
    await new Promise<void>((resolve) => clock.after(restMs, resolve));
  });
  return (storeFile) => {
    const answer = wanted.get(storeFile) ?? Promise.withResolvers<Liveness>();
    if (!wanted.has(storeFile)) {
      wanted.set(storeFile, answer);
      void pass();
    }
    return answer.promise;
  };
}
