import type { Job } from './job.ts';
import { findPersona } from './personas/findPersona.ts';
import type { PersonaRoot } from './personas/personaFiles.ts';
import type { Task } from './task.ts';

export interface InstructionDeps {
  /** Where personas are looked for when a worker is to work in `cwd`, first to last. */
  personaRoots(cwd: string): Promise<PersonaRoot[]>;
  settings(): { terseWorkers: boolean };
}

const terse = [
  'Be terse in everything you write: the result first; no preamble, no praise, no repetition of the task, no closing',
  'offers; fragments are fine. Never shorten code, commands, paths, names, numbers, error texts or warnings.',
].join('\n');

/**
 * The job with all that its worker is told beside the prompt: the persona, what the tool asks for, and the style. A session
 * that goes on has been told already.
 */
export async function withInstructions<T extends Job>(job: T, deps: InstructionDeps): Promise<T> {
  if (job.resume) return job;
  const persona = await personaOf(job.task, deps);
  if (!persona.ok) return { ...job, refused: { reason: 'badRequest', message: persona.message } };
  const parts = [persona.body, job.task.instructions, deps.settings().terseWorkers ? terse : undefined];
  const told = parts.filter((part) => part !== undefined && part !== '');
  return told.length === 0 ? job : { ...job, task: { ...job.task, instructions: told.join('\n\n') } };
}

async function personaOf(
  { agent, cwd }: Task,
  deps: InstructionDeps,
): Promise<{ ok: true; body?: string } | { ok: false; message: string }> {
  if (agent === undefined) return { ok: true };
  if (typeof agent === 'string') return findPersona(agent, await deps.personaRoots(cwd));
  if (agent.prompt.trim() !== '') return { ok: true, body: agent.prompt };
  return { ok: false, message: 'The prompt of agent is empty. Say who the worker should be, or leave agent out.' };
}
