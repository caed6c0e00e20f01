// A session's part in a chat store, played by a process of its own. Arguments: Cursor's folder, working folder, chat id,
// optionally `subagent`. Each line of stdin is a JSON command; each is answered by a line with the time it was done at (milliseconds since the epoch).
import { createInterface } from 'node:readline';
import { ChatStoreWriter } from './chatStoreWriter.ts';

/** What a session process does when told to. */
export type SessionCommand =
  /** Makes these messages the pending ones. */
  | { do: 'pend'; messages: object[] }
  /** Adds messages to the conversation; nothing is pending then. */
  | { do: 'say'; messages: object[] }
  | { do: 'meta'; change: Record<string, unknown> }
  /** Adds so many bytes of other blobs, as a long conversation leaves behind, and moves them into the main file. */
  | { do: 'grow'; bytes: number }
  /** As `/clear`: leaves this chat, begins another one. */
  | { do: 'clear'; id: string }
  /** Announces a state whose blob comes only after `ms`. */
  | { do: 'announce'; messages: object[]; ms: number };

const blobBytes = 32 * 1024;
const growStep = 20_000_000;

const [root = '', cwd = '', id = '', kind] = process.argv.slice(2);
const open = (chatId: string): ChatStoreWriter =>
  new ChatStoreWriter({ root, cwd, id: chatId, isSubagent: kind === 'subagent' });
let writer = open(id);
writer.commitHead();

async function obey(command: SessionCommand): Promise<void> {
  switch (command.do) {
    case 'pend':
      writer.commitHead(command.messages);
      break;
    case 'say':
      for (const message of command.messages) writer.addMessage(message);
      writer.commitHead();
      break;
    case 'meta':
      writer.writeMeta(command.change);
      break;
    case 'grow':
      grow(command.bytes);
      break;
    case 'clear':
      writer.close();
      writer = open(command.id);
      writer.commitHead();
      break;
    case 'announce':
      await announce(command.messages, command.ms);
      break;
  }
}

function grow(bytes: number): void {
  for (let left = bytes; left > 0; left -= growStep) {
    writer.database.exec('BEGIN');
    for (let part = Math.min(left, growStep); part > 0; part -= blobBytes) {
      const blob = Buffer.alloc(Math.min(part, blobBytes), 'conversation ');
      blob.writeDoubleBE(Math.random());
      writer.putBlob(blob);
    }
    writer.database.exec('COMMIT');
    writer.checkpoint('TRUNCATE');
  }
}

/** Takes the blob away again, so that the chat names a state that is not there. */
async function announce(messages: object[], ms: number): Promise<void> {
  writer.database.exec('BEGIN');
  const root = writer.commitHead(messages);
  const blob = writer.database.prepare('SELECT data FROM blobs WHERE id = ?').get(root)?.data;
  writer.database.prepare('DELETE FROM blobs WHERE id = ?').run(root);
  writer.database.exec('COMMIT');
  await new Promise((resolve) => setTimeout(resolve, ms));
  if (blob instanceof Uint8Array) writer.putBlob(blob);
}

process.stdout.write(`${performance.timeOrigin + performance.now()}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  await obey(JSON.parse(line) as SessionCommand);
  process.stdout.write(`${performance.timeOrigin + performance.now()}\n`);
}
writer.close();
