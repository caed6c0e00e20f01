import { z } from 'zod';

/** Arguments most tools share. */
export const cwd = z.string().optional().describe('Absolute folder; default: the workspace.');
export const model = z.string().optional().describe('Instead of the default model.');
export const effort = z.string().optional().describe('Instead of the default effort.');
