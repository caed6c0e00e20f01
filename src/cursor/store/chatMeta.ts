import * as z from 'zod';

const text = z.string().optional().catch(undefined);

const subagentSchema = z.object({ parentAgentId: text, rootParentAgentId: text, toolCallId: text, typeName: text });

/**
 * The value of key `0` in `meta` (facts gathered from public readers of the store). An unusable field is left out;
 * `latestRootBlobId` decides what is pending, so that one must be right. Whatever is not named here, the blob encryption key
 * first of all, never leaves this parser.
 */
const chatMetaSchema = z.object({
  agentId: text,
  /** Empty or absent before the first message. */
  latestRootBlobId: z
    .union([z.literal(''), z.string().regex(/^[0-9a-f]{64}$/)])
    .optional()
    .transform((id) => (id === '' ? undefined : id)),
  name: text,
  mode: text,
  createdAt: z.number().optional().catch(undefined),
  lastUsedModel: text,
  isRunEverything: z.boolean().optional().catch(undefined),
  approvalMode: text,
  subagentInfo: subagentSchema.optional().catch(undefined),
});

/** What a chat says about itself. */
export type ChatMeta = z.infer<typeof chatMetaSchema>;

/** `encrypted`: the chat has a key for its blobs, which may explain a head that makes no sense. */
export interface ParsedChatMeta {
  meta: ChatMeta;
  encrypted: boolean;
}

const keySchema = z.object({ blobEncryptionKey: z.unknown().optional() });

/**
 * Reads the value: hex of UTF-8 JSON, or the JSON itself, stored as text or as a BLOB. Undefined when it is neither, or names
 * its head in an unknown way. Never throws, because what a JSON error quotes may be the key.
 */
export function parseChatMeta(value: Uint8Array): ParsedChatMeta | undefined {
  const json = parseJson(fromHex(Buffer.from(value.buffer, value.byteOffset, value.byteLength)));
  const meta = chatMetaSchema.safeParse(json);
  if (!meta.success) return undefined;
  const key = keySchema.safeParse(json).data?.blobEncryptionKey;
  return { meta: meta.data, encrypted: key !== undefined && key !== null && key !== '' };
}

function fromHex(value: Buffer): string {
  const written = value.toString('utf8').trim();
  return /^(?:[0-9a-f]{2})+$/i.test(written) ? Buffer.from(written, 'hex').toString('utf8') : written;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
