/** What a CLI keeps on disk, and what of it a worker in the sandbox may see. */
export interface EngineState {
  folders: readonly StateFolder[];
  /** Relative to HOME. A worker gets copies of its own, which are lost. */
  files: readonly CopiedFile[];
}

/** A folder where a CLI keeps its credentials and sessions, and the person what they taught it. */
export interface StateFolder {
  /** Relative to HOME. */
  path: string;
  /** The variable that names it instead; with `below` it names the folder above. */
  variable?: string;
  below?: string;
  /** What a worker finds empty and cannot change: rules, hooks, servers, skills. With a `/` at the end a folder. */
  hidden: readonly string[];
  /** What it reads and cannot change, where it is there: programs and what decides about trust. */
  readOnly?: readonly string[];
  /** Files of which it gets a copy of its own, which is lost. */
  copied?: readonly CopiedFile[];
}

export interface CopiedFile {
  path: string;
  /** What a worker gets of the person's text. */
  edit: (text: string) => string;
}
