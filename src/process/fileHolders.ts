/** Who has a file open. `holders` is all there is to see; `blind` says why others may exist that could not be seen. */
export interface FileHolders {
  holders: readonly FileHolder[];
  blind: string | undefined;
}

export interface FileHolder {
  pid: number;
  /** Whether it may write to it. */
  writes: boolean;
}

/** What can be seen of a live process. */
export interface ProcessDetails {
  pid: number;
  parent: number;
  /** As it was started. Where only one line of text is to be had, its words. */
  argv: readonly string[];
  /** Absolute path of its controlling terminal. */
  tty: string | undefined;
  /** Its live children. */
  children: readonly number[];
}
