import * as z from 'zod';

/** Arguments most tools share. */
export const cwd = z.string().optional().describe('Absolute; default: workspace.');
export const model = z.string().optional().describe('Overrides the model.');
export const effort = z.string().optional().describe('Overrides the effort.');
