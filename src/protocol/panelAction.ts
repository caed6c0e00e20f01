import * as z from 'zod';
import { answerSchema } from './request.ts';

const id = z.string().max(1000);

/** What the person did in the Waiting view, as it tells the window. */
export const panelActionSchema = z.discriminatedUnion('type', [
  /** The view can be told what to show. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('answer'), id, hash: z.string().max(1000), answer: answerSchema, anyway: z.boolean() }),
  z.object({ type: z.literal('showTerminal'), id }),
  z.object({ type: z.literal('reopen'), id }),
  z.object({ type: z.literal('openDiff'), id }),
  z.object({ type: z.literal('command'), command: z.enum(['startAgent', 'manageTrust', 'showLog', 'checkSetup']) }),
]);
export type PanelAction = z.infer<typeof panelActionSchema>;
