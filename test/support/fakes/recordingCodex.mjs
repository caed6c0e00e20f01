#!/usr/bin/env node
// Stands in for the Codex CLI: writes down how it was started, and answers by what its prompt holds.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';

const { argv, env } = process;
const args = argv.slice(2);
const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
const message = (text) => say({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } });
const megabyte = 'x'.repeat(1_000_000);

/** What each marker of a prompt makes it do before its answer. */
const deeds = {
  '[[picture]]': () => writeFileSync('new.png', Buffer.from(env.RECORDING_PICTURE ?? '', 'base64')),
  '[[flood]]': () => {
    for (let i = 0; i < 100; i++) {
      const command = { id: `item_${i}`, type: 'command_execution', command: 'cat log', aggregated_output: megabyte };
      say({ type: 'item.completed', item: { ...command, exit_code: 0, status: 'completed' } });
    }
  },
  '[[long line]]': () => message(megabyte.repeat(100)),
  '[[long answer]]': () => message(`head ${'.'.repeat(500_000)} tail`),
};

if (args[0] === 'exec') {
  const stdin = readFileSync(0, 'utf8');
  appendFileSync(env.RECORDING_FILE ?? '', `${JSON.stringify({ args, env, stdin, cwd: process.cwd() })}\n`);
  const resumed = args.includes('resume') ? args.at(-2) : undefined;
  say({ type: 'thread.started', thread_id: resumed ?? randomUUID() });
  message('src/a.ts:1: const one = 1; // see https://example.org/one');
  for (const [marker, deed] of Object.entries(deeds)) if (stdin.includes(marker)) deed();
  say({ type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } });
} else {
  console.log(args.includes('--version') ? 'codex-cli 0.171.0' : 'Commands:\n  exec  Run without a screen');
}
