// node ownerProcess.ts <wiring as JSON> <prompt>: starts one run, prints its id, and lives until it is killed.
import { JumpingClock } from '../support/fakes/jumpingClock.ts';
import { assemble, type Wiring } from '../support/bench/wiring.ts';

const [wiring, prompt] = process.argv.slice(2) as [string, string];
const given = JSON.parse(wiring) as Wiring;
const { delegation } = await assemble(given, new JumpingClock());
const engine = given.settings.tiers[0]?.engine ?? 'codex';
const run = delegation.start({
  tool: 'test',
  prompt,
  access: 'full',
  cwd: given.workspace,
  choice: { by: 'engine', engine },
});
console.log(run.id);
const { text } = await run.result;
console.error(text);
