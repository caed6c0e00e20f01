import * as z from 'zod';

/** A version in the list of a kept revert; its content, where it has one, is in a file beside the list. */
const keptVersion = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('file'), content: z.string(), executable: z.boolean() }),
  z.object({ kind: z.literal('link'), content: z.string() }),
]);
export type KeptVersion = z.infer<typeof keptVersion>;

/** The list of what was in files before a run's changes were taken back (or that was undone), and what came there. */
export const keptRevert = z.object({
  act: z.enum(['revert', 'undo']),
  root: z.string(),
  files: z.array(z.object({ path: z.string(), was: keptVersion, is: keptVersion })),
});
export type KeptRevert = z.infer<typeof keptRevert>;
