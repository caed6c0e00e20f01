import { chownSync, lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** The user that owns nothing. */
const nobody = 65534;

/**
 * Acts with what the permissions of files grant. They grant everything to the system's administrator, as whom containers like
 * to run tests: then it acts as another user, to whom it gives the folder.
 */
export async function withoutPrivileges(folder: string, act: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) {
    await act();
    return;
  }
  chownSync(folder, nobody, nobody);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, name), nobody, nobody);
  }
  process.seteuid?.(nobody);
  try {
    await act();
  } finally {
    process.seteuid?.(0);
  }
}
