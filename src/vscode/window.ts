import type { RelayListener } from '../mcp/relayListener.ts';
import type { WindowRelayDeps } from './windowRelay.ts';

// A bundle of its own (see esbuild.mjs): what a window loads with its first command, look at the Runs view or start of
// the server, so that activation does not read all of Sallyport.

export { openWindowRoom } from './windowRoom.ts';

/** Serves the relays of this window. The MCP server's code is loaded by the first call. */
export async function openWindowRelay(deps: WindowRelayDeps): Promise<RelayListener> {
  const relay = await import('./windowRelay.ts');
  return relay.openWindowRelay(deps);
}
