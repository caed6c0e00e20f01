import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { ChatStoreWriter, type ChatStoreOptions } from '../cursorStore/chatStoreWriter.ts';
import { assistantMessage, toolResult, userMessage } from '../cursorStore/messages.ts';
import type { PlannedCall, Scenario } from './scenario.ts';

/** A field that no reader knows. */
const otherField = 40;

export interface SimulatedChatOptions extends ChatStoreOptions {
  scenario: Pick<Scenario, 'metaForm' | 'runEverything' | 'approvalMode'>;
  /** Set for a sub-agent's chat. */
  subagentInfo?: Record<string, string>;
}

/** One chat as the agent keeps it: its store stays open until the end. */
export class SimulatedChat {
  readonly id: string;
  readonly folder: string;
  readonly #store: ChatStoreWriter;

  /** Creates the chat, or goes on with one that is there: what was pending in it is over then. */
  constructor({ scenario, subagentInfo, ...options }: SimulatedChatOptions) {
    this.#store = new ChatStoreWriter({ ...options, isSubagent: subagentInfo !== undefined });
    this.id = this.#store.id;
    this.folder = this.#store.folder;
    this.#store.metaForm = scenario.metaForm;
    if (this.isEmpty) {
      const now = Date.now();
      this.#store.writeInfo({ createdAtMs: now, hasConversation: false });
      this.#store.writeMeta({
        createdAt: now,
        isRunEverything: scenario.runEverything,
        blobEncryptionKey: randomBytes(32).toString('hex'),
        ...(scenario.approvalMode !== undefined && { approvalMode: scenario.approvalMode }),
        ...(subagentInfo && { subagentInfo }),
      });
    } else this.#commit();
  }

  get isEmpty(): boolean {
    return this.#store.root.messageIds.length === 0;
  }

  get runsEverything(): boolean {
    return this.#store.meta.isRunEverything === true;
  }

  set runsEverything(isOn: boolean) {
    this.#store.writeMeta({ isRunEverything: isOn });
  }

  /** A message of the person, with which a turn begins. */
  addUser(text: string): void {
    this.#store.addMessage(userMessage(text));
    this.#store.root.turnIds = [...this.#store.root.turnIds, createHash('sha256').update(randomBytes(8)).digest('hex')];
    this.#commit();
  }

  /** Text of the agent. */
  addText(text: string): void {
    this.#store.addMessage(assistantMessage([{ type: 'text', text }]));
    this.#commit();
  }

  /** Makes these calls pending, in place of any that were. */
  begin(calls: readonly PlannedCall[], layout: 'known' | 'otherField'): void {
    const message = assistantMessage(calls.map(callPart), Date.now());
    if (layout === 'known') this.#commit([message]);
    else {
      const json = Buffer.from(JSON.stringify(message));
      this.#store.root.extra = (writer) => writer.writeBytesField(otherField, json);
      this.#commit();
    }
  }

  /** The batch is over: its calls are part of the conversation, with their results. */
  finish(calls: readonly PlannedCall[], results: readonly string[]): void {
    this.#store.addMessage(assistantMessage(calls.map(callPart)));
    for (const [index, { id, toolName }] of calls.entries()) {
      this.#store.addMessage(toolResult(id, results[index] ?? '', toolName));
    }
    this.withdraw();
  }

  /** What was pending is not any more. */
  withdraw(): void {
    delete this.#store.root.extra;
    this.#commit();
  }

  /** Ends as a clean exit does; an empty chat leaves nothing. */
  close(): void {
    this.#store.close();
    if (this.isEmpty) rmSync(this.folder, { recursive: true, force: true });
  }

  #commit(pending: readonly object[] = []): void {
    const now = Date.now();
    this.#store.root.timestampMs = now;
    this.#store.commitHead(pending);
    this.#store.writeInfo({ hasConversation: true, updatedAtMs: now });
  }
}

function callPart({ id, toolName, args, argsName }: PlannedCall): object {
  return { type: 'tool-call', toolCallId: id, toolName, [argsName]: args };
}
