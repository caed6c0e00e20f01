// npm run inspect -- <store.db or chat folder>: prints as JSON what Sallyport sees of a Cursor chat, for bug reports.
// Exit codes: 0 printed, 1 printed but the store could not be read, 2 there is nothing to print (stderr says why).
// Nothing is written in Cursor's folders. Keys never reach the output, and what looks like a secret is taken out.
import { join, resolve } from 'node:path';
import { inspectChat } from '../src/cursor/inspect.ts';
import { createRedactor } from '../src/delegation/redact.ts';
import { createOpenFiles } from '../src/process/openFiles.ts';

const root = resolve(import.meta.dirname, '..');

async function inspect(args: readonly string[]): Promise<number> {
  const [path] = args;
  if (path === undefined || args.length > 1) throw new Error('usage: npm run inspect -- <store.db or chat folder>');
  // npm runs scripts in the project's folder, whatever folder the person is in.
  const from = process.env.INIT_CWD ?? process.cwd();
  const inspection = await inspectChat(resolve(from, path), createOpenFiles());
  const redactor = createRedactor({ workerFile: join(root, 'src', 'delegation', 'redactWorker.ts'), known: () => [] });
  try {
    const { text } = await redactor.redact(JSON.stringify(inspection, undefined, 2));
    console.log(text);
  } finally {
    redactor.dispose();
  }
  return inspection.certainty === 'unknown' ? 1 : 0;
}

process.exitCode = await inspect(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});
