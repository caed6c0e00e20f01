import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import type { Action, Engine, RunRequest } from '../../../src/engines/engine.ts';
import type { Outcome, RunEvent } from '../../../src/protocol/model.ts';

const folder = resolve(import.meta.dirname, '..', '..', 'fixtures', 'engines');

const metaSchema = z.object({
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  stderrTail: z.string(),
});

/** One recorded process life of a real CLI. */
export interface Recording {
  lines: readonly string[];
  how: { code: number | null; signal: string | null; stderrTail: string };
}

/** Names of an engine's recordings, without their endings. */
export function recordingNames(engine: string): string[] {
  const names = readdirSync(resolve(folder, engine)).map((file) => file.replace(/\.(?:jsonl|meta\.json)$/, ''));
  return [...new Set(names)].sort();
}

/** Reads one recording. */
export function readRecording(engine: string, name: string): Recording {
  const path = resolve(folder, engine, name);
  const meta = metaSchema.parse(JSON.parse(readFileSync(`${path}.meta.json`, 'utf8')));
  const text = readFileSync(`${path}.jsonl`, 'utf8');
  return {
    lines: text === '' ? [] : text.replace(/\n$/, '').split('\n'),
    how: { code: meta.exitCode, signal: meta.signal, stderrTail: meta.stderrTail },
  };
}

/** A request as a run makes it, with `over` in place of the usual values. */
export function aRequest(over: Partial<RunRequest> = {}): RunRequest {
  return {
    prompt: 'What is the answer?',
    access: 'readOnly',
    cwd: '/workspace',
    web: false,
    unsandboxedConsent: false,
    newSessionId: '7c1c2f34-58a2-4c05-9b63-0b7a4d1c2e11',
    scratch: '/scratch',
    ...over,
  };
}

/** What a conversation made of a process life. */
export interface Replayed {
  events: RunEvent[];
  actions: Action[];
  outcome: Outcome;
}

/** Plays lines through a conversation of `engine`, then ends the process. */
export function replay(engine: Engine, { lines, how }: Recording, request: RunRequest = aRequest()): Replayed {
  const conversation = engine.conversation(request);
  const events: RunEvent[] = [];
  const actions = [...conversation.start()];
  for (const line of lines) {
    const received = conversation.receive(line, false);
    events.push(...received.events);
    actions.push(...(received.actions ?? []));
  }
  return { events, actions, outcome: conversation.ended(how) };
}

/** One event in one line, so that a list of them can be read. */
export function inShort(event: RunEvent): string {
  switch (event.kind) {
    case 'session':
      return 'session';
    case 'message':
      return `says ${event.text.slice(0, 60)}`;
    case 'toolStarted':
      return `starts ${event.title}`;
    case 'toolEnded':
      return event.ok ? 'tool ok' : 'tool failed';
    case 'fileChange':
      return `${event.change.kind} ${event.change.path}`;
    case 'retrying':
      return `retries ${event.detail.slice(0, 60)}`;
    case 'warning':
      return `${event.unasked ? 'unasked' : 'warns'} ${event.text.slice(0, 60)}`;
    case 'remark':
      return `remarks ${event.text.slice(0, 60)}`;
    case 'usage': {
      const { run, thread } = event;
      const counts = (usage: typeof run): string =>
        usage ? `${usage.input}/${usage.cachedInput}/${usage.output}` : 'unknown';
      return `usage ${counts(run)}${thread ? ` of ${counts(thread)}` : ''}`;
    }
  }
}
