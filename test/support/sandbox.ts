import { ensureTool } from '../../scripts/setup.ts';
import { capture } from '../../src/process/capture.ts';
import { createProbe, type Availability } from '../../src/sandbox/probe.ts';

/** Whether this machine lets bubblewrap make sandboxes. Installs it where that needs nobody. */
export const realProbe = createProbe({
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  findBwrap: () => ensureTool('bubblewrap').catch(() => undefined),
  capture,
});

/** For a suite's `before`: skips its tests where no sandbox can be made. In CI that is a failure. */
export async function needsSandbox(this: Mocha.Context): Promise<void> {
  const answer: Availability = await realProbe();
  if (answer.ok) return;
  if (process.env.CI === 'true' && process.platform === 'linux') throw new Error(`no sandbox: ${answer.why}`);
  console.log(`no sandbox can be made here, so its tests are left out: ${answer.why}`);
  this.skip();
}
