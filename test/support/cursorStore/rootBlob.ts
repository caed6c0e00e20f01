import { PbfReader, PbfWriter } from 'pbf';

/** What a root blob says; see the fields of `agent.v1.ConversationStateStructure`. */
export interface Root {
  /** Blob ids in hex, oldest first. */
  messageIds: readonly string[];
  /** Field 4: JSON text, or bytes that are none. */
  pending: readonly (string | Uint8Array)[];
  turnIds: readonly string[];
  workspaces: readonly string[];
  timestampMs: number;
  /** Writes fields of a layout that nobody knows, behind the known ones. */
  extra?: (writer: PbfWriter) => void;
}

/** Encodes a root blob as cursor-agent does, with the fields that Sallyport skips as well. */
export function encodeRoot(root: Root): Buffer {
  const writer = new PbfWriter();
  for (const id of root.messageIds) writer.writeBytesField(1, Buffer.from(id, 'hex'));
  for (const entry of root.pending) writer.writeBytesField(4, Buffer.from(entry));
  writer.writeMessage(
    5,
    (tokens: { used: number; max: number }, inner) => {
      inner.writeVarintField(1, tokens.used);
      inner.writeVarintField(2, tokens.max);
    },
    { used: 18988, max: 256000 },
  );
  for (const id of root.turnIds) writer.writeBytesField(8, Buffer.from(id, 'hex'));
  // pbf's own way to write strings garbles some characters outside the basic plane.
  for (const uri of root.workspaces) writer.writeBytesField(9, Buffer.from(uri));
  writer.writeVarintField(10, 1);
  writer.writeStringField(22, 'cli');
  writer.writeVarintField(26, root.timestampMs);
  writer.writeStringField(27, 'Europe/Berlin');
  writer.writeVarintField(39, 0);
  root.extra?.(writer);
  return Buffer.from(writer.finish());
}

/** What of a root blob the next one continues. */
export function decodeRoot(bytes: Uint8Array): Pick<Root, 'messageIds' | 'turnIds' | 'workspaces' | 'timestampMs'> {
  const root = { messageIds: [] as string[], turnIds: [] as string[], workspaces: [] as string[], timestampMs: 0 };
  const reader = new PbfReader(bytes);
  for (let field = reader.nextField(); field !== 0; field = reader.nextField()) {
    if (field === 1) root.messageIds.push(Buffer.from(reader.readBytes()).toString('hex'));
    else if (field === 8) root.turnIds.push(Buffer.from(reader.readBytes()).toString('hex'));
    else if (field === 9) root.workspaces.push(Buffer.from(reader.readBytes()).toString());
    else if (field === 26) root.timestampMs = reader.readVarint();
  }
  return root;
}
