import * as z from 'zod';
import type { Task } from '../../delegation/task.ts';

/** Arguments most tools share. */
export const cwd = z.string().optional().describe('Absolute path.');
export const model = z.string().optional().describe('Override.');
export const effort = z.string().optional().describe('Override.');

export const agent = z
  .union([z.string(), z.strictObject({ prompt: z.string() })])
  .optional()
  .describe('Persona: its name, or {prompt}.');

export const isolation = z.enum(['worktree']).optional().describe('Own copy; comes back as a branch.');

/** What a caller chose beside the tool's own rung, as a task takes it. */
export function overrides(chosen: {
  model?: string | undefined;
  effort?: string | undefined;
  agent?: NonNullable<Task['agent']> | undefined;
  isolation?: 'worktree' | undefined;
}): Pick<Task, 'model' | 'effort' | 'agent' | 'isolation'> {
  return {
    ...(chosen.model !== undefined && { model: chosen.model }),
    ...(chosen.effort !== undefined && { effort: chosen.effort }),
    ...(chosen.agent !== undefined && { agent: chosen.agent }),
    ...(chosen.isolation && { isolation: chosen.isolation }),
  };
}
