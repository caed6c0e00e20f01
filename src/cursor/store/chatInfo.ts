import { join } from 'node:path';
import * as z from 'zod';
import { readSmallJson } from '../smallJson.ts';

/** The name of a chat's description in its folder. */
export const infoName = 'meta.json';

const text = z.string().optional().catch(undefined);
const time = z.number().optional().catch(undefined);

const chatInfoSchema = z.object({
  hasConversation: z.boolean().optional().catch(undefined),
  createdAtMs: time,
  updatedAtMs: time,
  /** The session's working folder. */
  cwd: text,
  title: text,
  /** A sub-agent's chat: its requests belong to the chat that started it. */
  isSubagent: z.boolean().optional().catch(undefined),
});

/** What `meta.json` beside a chat's store says; fields that are missing or of another kind are left out. */
export type ChatInfo = z.infer<typeof chatInfoSchema>;

/** Reads `meta.json` of a chat's folder. Undefined when there is none that can be read. */
export async function readChatInfo(folder: string): Promise<ChatInfo | undefined> {
  return chatInfoSchema.safeParse(await readSmallJson(join(folder, infoName))).data;
}
