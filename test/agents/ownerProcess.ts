// node ownerProcess.ts <wiring as JSON> <prompt> [worktree]: starts one run (in a worktree of its own), prints its id, and lives until it is killed.
import { JumpingClock } from '../support/fakes/jumpingClock.ts';
import { assemble, type Wiring } from '../support/bench/wiring.ts';

const [wiring, prompt, isolation] = process.argv.slice(2) as [string, string, 'worktree'?];
const given = JSON.parse(wiring) as Wiring;
const { delegation } = await assemble(given, new JumpingClock());
const engine = given.settings.tiers[0]?.engine ?? 'codex';
const run = delegation.start({
  tool: 'test',
  prompt,
  access: 'full',
  cwd: given.workspace,
  ...(isolation && { isolation }),
  choice: { by: 'engine', engine },
});
console.log(run.id);
const { text } = await run.result;
console.error(text);
