import { PbfReader } from 'pbf';
import { decodeMessage, type Message, pendingMarker } from './message.ts';

/** The present of a conversation: what its newest root blob says. */
export interface Head {
  /** SHA-256 of the messages' blobs, 32 bytes each, oldest first. */
  messageIds: Uint8Array[];
  turnCount: number;
  /** The messages of field 4 that could be read, in order. */
  pendingMessages: Message[];
  /** The entries of field 4 that could not. */
  unreadableEntries: Uint8Array[];
  /** URIs of the workspace's folders. */
  workspaces: string[];
  /** `cli` for the terminal's chats. */
  surface: string | undefined;
  /** When it was written, in milliseconds since the epoch. */
  writtenAtMs: number | undefined;
  /**
   * Something about pending calls is not where it is known to be: an entry that cannot be read, an id of another length, or
   * the marker outside the entries that could be read.
   */
  unknownLayout: boolean;
}

interface Range {
  from: number;
  to: number;
}

const idBytes = 32;
const varint = 0;
const lengthDelimited = 2;
const marker = Buffer.from(pendingMarker);

/**
 * Reads a root blob: protobuf `agent.v1.ConversationStateStructure`, fields 1, 4, 8, 9, 22 and 26. Other fields are skipped
 * by their wire type. Undefined when the bytes are no protobuf message.
 */
export function decodeHead(bytes: Uint8Array): Head | undefined {
  const head: Head = {
    messageIds: [],
    turnCount: 0,
    pendingMessages: [],
    unreadableEntries: [],
    workspaces: [],
    surface: undefined,
    writtenAtMs: undefined,
    unknownLayout: false,
  };
  const understood: Range[] = [];
  const reader = new PbfReader(bytes);
  try {
    for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
      readField(reader, field, head, understood);
    }
  } catch {
    return undefined;
  }
  // pbf stops at a field numbered 0 and runs past the end of what was cut off; neither is a message.
  if (reader.pos !== bytes.length) return undefined;
  head.unknownLayout ||= head.unreadableEntries.length > 0 || hasMarkerOutside(bytes, understood);
  return head;
}

function readField(reader: PbfReader, field: number, head: Head, understood: Range[]): void {
  const text = (): string => new TextDecoder().decode(reader.readBytes());
  if (field === 26 && reader.type === varint) head.writtenAtMs = reader.readVarint();
  else if (reader.type !== lengthDelimited) head.unknownLayout ||= field === 1 || field === 4;
  else if (field === 1) addMessageId(head, reader.readBytes());
  else if (field === 4) addPending(head, reader, understood);
  else if (field === 8) {
    reader.readBytes();
    head.turnCount++;
  } else if (field === 9) head.workspaces.push(text());
  else if (field === 22) head.surface = text();
}

function addMessageId(head: Head, id: Uint8Array): void {
  if (id.length === idBytes) head.messageIds.push(id);
  else head.unknownLayout = true;
}

function addPending(head: Head, reader: PbfReader, understood: Range[]): void {
  const entry = reader.readBytes();
  const message = decodeMessage(entry);
  if (message?.role === 'assistant' && message.calls.length > 0) {
    head.pendingMessages.push(message);
    understood.push({ from: reader.pos - entry.length, to: reader.pos });
  } else head.unreadableEntries.push(entry);
}

function hasMarkerOutside(bytes: Uint8Array, understood: readonly Range[]): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = buffer.indexOf(marker);
  for (const { from, to } of understood) {
    if (at === -1 || at < from) break;
    if (at < to) at = buffer.indexOf(marker, to);
  }
  return at !== -1;
}
