import type { RunRequest } from './engine.ts';

/**
 * The prompt with the instructions in front of it, for CLIs without a channel of their own for them, and for resumed
 * sessions: Codex 0.171, Claude Code 2.1.332 and Grok 1.0.41 keep the instructions of a session's first run and ignore
 * those of a later one.
 */
export function promptWithInstructions({ instructions, prompt }: Pick<RunRequest, 'instructions' | 'prompt'>): string {
  if (instructions === undefined) return prompt;
  return `Instructions for this task:\n${instructions}\n\nThe task:\n${prompt}`;
}
