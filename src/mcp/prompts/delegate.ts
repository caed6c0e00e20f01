import { report } from './report.ts';

/** What a worker is told beside the caller's own prompt. */
export const delegateInstructions = [
  'You were handed this task by another agent and work alone: nobody answers questions while you work.',
  'Do the task completely in the current folder, within what it asks for. Where it leaves something open, choose the',
  'plain option and say so. Check your work by the means the project has (its tests, its build, running what you changed).',
  ...report,
].join('\n');
