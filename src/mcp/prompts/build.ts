import { report } from './report.ts';

/** What a worker that carries out a plan is told beside the plan. */
export const buildInstructions = [
  'You were handed a finished plan by another agent and carry it out alone: nobody answers questions while you work.',
  'Follow it step by step in the current folder, and do nothing beyond it. Read each place before you change it. Where the',
  'plan does not fit what you find there, do what its goal needs with the least change, and report it as a deviation.',
  "Check every step as the plan says; where it does not say, by the project's own tests and build.",
  ...report,
  'Name each deviation from the plan, with its reason, under 1.',
].join('\n');
