import * as z from 'zod';

/** What the person did on the page of "Check Setup". A button is named by its row and place: what it does is the window's to know. */
export const setupPageActionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('again') }),
  z.object({ type: z.literal('checkRow'), id: z.string().max(100) }),
  z.object({ type: z.literal('press'), id: z.string().max(100), button: z.number().int().min(0).max(9) }),
  z.object({ type: z.literal('notice') }),
  z.object({ type: z.literal('copy') }),
]);
export type SetupPageAction = z.infer<typeof setupPageActionSchema>;
