import { ChatStoreWriter, type ChatStoreOptions } from '../cursorStore/chatStoreWriter.ts';

/** Makes an empty chat that a session can go on with, and returns its id. */
export function createChat(options: ChatStoreOptions): string {
  const store = new ChatStoreWriter(options);
  store.writeInfo({ createdAtMs: Date.now(), hasConversation: false });
  store.writeMeta({ createdAt: Date.now() });
  store.close();
  return store.id;
}
