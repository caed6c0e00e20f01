// Opens a store as a session does, says so, and holds it until stdin ends. Arguments: file, `write` or `read`.
import { openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const [file = '', mode] = process.argv.slice(2);
const database = mode === 'write' ? new DatabaseSync(file) : undefined;
database?.exec('SELECT count(*) FROM meta');
if (mode === 'read') openSync(file, 'r');
process.stdout.write('open\n');
process.stdin.on('end', () => database?.close()).resume();
