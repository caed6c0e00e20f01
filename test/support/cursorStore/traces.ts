import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Everything about a folder that writing, creating or touching in it would change. */
export function tracesOf(folder: string): Record<string, string> {
  const traces: Record<string, string> = {};
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].sort()) {
    const path = join(folder, name);
    const { mtimeNs, ctimeNs, ino, mode } = lstatSync(path, { bigint: true });
    const content = lstatSync(path).isFile() ? readFileSync(path).toString('base64') : '';
    traces[name] = [mtimeNs, ctimeNs, ino, mode, content].join(' ');
  }
  return traces;
}
