import { execFile } from 'node:child_process';

/**
 * Rows of what `ps` prints. It gets a bare environment, so that it never bears a marker, and prints times as UTC, so that
 * they stay the same when the person travels. `answered` is false when it could not be run to its end.
 */
export function ps(args: readonly string[]): Promise<{ rows: string[]; answered: boolean }> {
  return new Promise((resolve) => {
    const options = { env: { LC_ALL: 'C', TZ: 'UTC0' }, timeout: 5000, maxBuffer: 64 * 1024 * 1024 };
    execFile('/bin/ps', [...args], options, (error, stdout) => {
      // It ends with 1 when there is no such process.
      const answered = error === null || (typeof error.code === 'number' && error.killed !== true);
      resolve({ rows: stdout.split('\n').filter((row) => row !== ''), answered });
    });
  });
}
