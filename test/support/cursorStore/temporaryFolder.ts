import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is removed, with everything in it, after each test of the suite this is called in. */
export function useTemporaryFolder(): () => string {
  let folder: string | undefined;
  afterEach(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  });
  return () => (folder ??= realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-store-'))));
}
