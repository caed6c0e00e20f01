import type { Conversation, Engine, RunRequest } from '../../../src/engines/engine.ts';
import type { EngineId, Outcome, RunEvent } from '../../../src/protocol/model.ts';

/** What the fake engine's CLI prints: one JSON line per event, and one with the outcome. */
export type FakeLine = { event: RunEvent } | { outcome: Outcome };

export interface FakeEngineOptions {
  id?: EngineId;
  title?: string;
  refuses?: Engine['refuses'];
  ownSandbox?: boolean;
}

/** An engine whose dialect is Sallyport's own, so that a test says directly what a worker does. */
export function fakeEngine({
  id = 'codex',
  title = 'Codex',
  refuses = () => undefined,
  ownSandbox = true,
}: FakeEngineOptions = {}): Engine {
  return {
    id,
    title,
    binaries: [id],
    installHint: `Install ${title}.`,
    signInHint: `Sign in to ${title}.`,
    signIn: { args: ['status'], read: () => ({ state: 'unknown' }) },
    environment: [],
    state: { folders: [], files: [] },
    ownSandbox,
    strayFolders: [],
    refuses,
    nativeBinaries: () => [],
    identify: () => ({ ok: true, version: '1' }),
    launch: (request) => ({ args: [], env: { FAKE_REQUEST: JSON.stringify(request) }, files: [] }),
    conversation,
  };
}

function conversation(request: RunRequest): Conversation {
  return {
    start: () => [{ kind: 'write', line: request.prompt }, { kind: 'endInput' }],
    receive(line) {
      const parsed = JSON.parse(line) as FakeLine;
      return 'event' in parsed ? { events: [parsed.event] } : { events: [], outcome: parsed.outcome };
    },
    interrupt: () => [{ kind: 'write', line: 'interrupt' }],
    ended: ({ code }) => ({ status: 'failed', reason: 'exited', message: `It exited with code ${code}.` }),
  };
}
