import type { RelayListener } from '../mcp/relayListener.ts';
import type { WindowRelayDeps } from './windowRelay.ts';

// A bundle of its own (see esbuild.mjs): what a window loads after activation, so that the editor's start does not wait for
// all of Sallyport to be read.

export { actions } from './commands/actions.ts';
export { openDoctor } from './doctor/doctor.ts';
export { openWaitingRoom } from './waitingRoom.ts';
export { openWindowRoom } from './windowRoom.ts';

/** Serves the relays of this window. The MCP server's code is loaded by the first call. */
export async function openWindowRelay(deps: WindowRelayDeps): Promise<RelayListener> {
  const relay = await import('./windowRelay.ts');
  return relay.openWindowRelay(deps);
}
