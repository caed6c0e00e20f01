import type { Clock } from '../../base/clock.ts';
import type { WindowRoom } from '../windowRoom.ts';

/** What the checks work with. */
export interface DoctorDeps {
  readonly clock: Clock;
  readonly room: WindowRoom;
  /** Absolute path of the MCP server's program. */
  readonly program: string;
  /** Whether this editor takes MCP servers from extensions. */
  readonly hostHasMcp: boolean;
}
