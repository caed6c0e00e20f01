// Puts its terminal into raw mode and appends every byte it receives to a file, until its terminal goes. Arguments: file, and
// what to print first.
import { appendFileSync } from 'node:fs';

const [file = '', screen = 'ready'] = process.argv.slice(2);
process.stdin.setRawMode(true);
process.stdin.on('data', (bytes: Buffer) => appendFileSync(file, bytes));
appendFileSync(file, '');
process.stdout.write(screen.replaceAll('\n', '\r\n'));
