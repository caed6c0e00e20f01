import * as z from 'zod';
import { fileChangeSchema } from './model.ts';

const at = z.number();
/** One line of a kept transcript. */
export const transcriptStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), at, text: z.string() }),
  z.object({ kind: z.literal('toolStarted'), at, id: z.string(), title: z.string() }),
  z.object({ kind: z.literal('toolEnded'), at, id: z.string(), ok: z.boolean() }),
  z.object({ kind: z.literal('fileChange'), at, change: fileChangeSchema }),
  z.object({ kind: z.literal('retrying'), at, detail: z.string() }),
  z.object({ kind: z.literal('warning'), at, text: z.string() }),
]);

/** What a worker did, and when (ms since the epoch). Its texts are redacted. */
export type TranscriptStep = z.infer<typeof transcriptStep>;

/** The first line of a file that others came before: which one it is, from 1. */
export const transcriptPart = z.object({ part: z.number() });
