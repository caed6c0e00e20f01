// node byteLogger.ts <file>: a program for a terminal that takes keys as an agent does (raw mode) and writes each piece of
// input it gets into the file, as a JSON string on a line of its own with the time it came. Ends on ctrl+d.
import { appendFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: byteLogger.ts <file>');
process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8');
process.stdin.on('data', (data) => {
  const text = String(data);
  appendFileSync(file, `${JSON.stringify({ atMs: Date.now(), text })}\n`);
  if (text.includes('\x04')) process.exit(7);
});
process.stdout.write('ready to log');
