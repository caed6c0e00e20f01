import { NotAPlainFile } from '../plainFile.ts';

/**
 * Why a chat's store could not be read. `gone` and `busy` may pass by themselves; the others will not before the store or
 * its permissions change.
 */
export type UnreadableReason =
  'gone' | 'denied' | 'notAStore' | 'busy' | 'damaged' | 'noTables' | 'tooLarge' | 'failed';

/** A store gave no answer. The message is for people and quotes nothing of the store's content. */
export class StoreUnreadable extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, message: string) {
    super(message);
    this.name = 'StoreUnreadable';
    this.reason = reason;
  }
}

/** Turns an error of the file system into what it means for a store. */
export function unreadableBy(error: unknown): StoreUnreadable {
  if (error instanceof StoreUnreadable) return error;
  if (error instanceof NotAPlainFile) return new StoreUnreadable('notAStore', 'The chat store is not a plain file.');
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  if (code === 'ENOENT' || code === 'ENOTDIR') return new StoreUnreadable('gone', 'The chat store is no longer there.');
  if (code === 'EACCES' || code === 'EPERM') {
    return new StoreUnreadable('denied', 'The chat store may not be read by this user. Check its permissions.');
  }
  return new StoreUnreadable('failed', `The chat store could not be read (${code}).`);
}
