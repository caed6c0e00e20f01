import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Group, Row } from './row.ts';

const dist = resolve(import.meta.dirname, '..', 'dist');

/** What each of our processes can load, in kB of 1000 bytes. */
const sums: readonly { what: string; files: readonly string[]; atMost?: number }[] = [
  {
    what: 'window: extension, guard, redaction',
    files: ['extension', 'window', 'guard', 'redactWorker'],
    atMost: 1600,
  },
  { what: 'MCP process: server, guard, redaction', files: ['mcp', 'guard', 'redactWorker'], atMost: 1300 },
  { what: 'Waiting view', files: ['webview.js'], atMost: 150 },
  ...['extension', 'window', 'mcp', 'redactWorker', 'guard'].map((name) => ({ what: `${name}.cjs`, files: [name] })),
];

export const bundles: Group = {
  name: 'bundles',
  about: 'sizes of what is loaded',
  run: () => Promise.all(sums.map(measure)),
};

async function measure({ what, files, atMost }: (typeof sums)[number]): Promise<Row> {
  const sizes = await Promise.all(
    files.map(async (name) => (await stat(join(dist, name.includes('.') ? name : `${name}.cjs`))).size),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return { what, unit: 'kB', samples: [total / 1000], ...(atMost !== undefined && { atMost }) };
}
