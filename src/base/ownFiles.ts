import { access } from 'node:fs/promises';

/** What a person can do when a program's own files are gone. */
export const reloadAdvice = {
  window:
    'Sallyport was updated or removed since this window was opened. Reload the window (Developer: Reload Window).',
  /** For where it is not known which of the two it is. */
  either:
    'Sallyport was updated or removed meanwhile. Reload the window, or start the server again, and ask the session anew.',
  standalone: 'Sallyport was updated or removed since this server was started. Start it again.',
} as const;

/** Whether all of these files (absolute paths) are still there: an update removes the folder of the version before it. */
export async function areThere(files: readonly string[]): Promise<boolean> {
  const looks = files.map((file) =>
    access(file).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(looks)).every((isThere) => isThere);
}
