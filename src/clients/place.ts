import { basename, dirname, join } from 'node:path';

/** Where one editor keeps Sallyport, and what can run it. */
export interface Place {
  /** Absolute path of the editor's runtime. */
  runtime: string;
  /** Absolute path with which the folder of every version begins: `…/extensions/sallyport.sallyport-`. */
  prefix: string;
}

/** `extension` is the folder that a Sallyport was loaded from. A checkout, whose name bears no version, is its own prefix. */
export function placeOf(extension: string, runtime: string): Place {
  const name = basename(extension);
  const version = name.search(/-\d+\.\d+\.\d+/);
  return { runtime, prefix: version < 0 ? extension : join(dirname(extension), name.slice(0, version + 1)) };
}

/** Whether folders of versions begin with this prefix; a checkout is the whole of its own. */
export function isVersioned(prefix: string): boolean {
  return prefix.endsWith('-');
}

/** One line each, which a shell can read. */
export function placeText({ runtime, prefix }: Place): string {
  return `${runtime}\n${prefix}\n`;
}

/** Undefined for anything but what `placeText` wrote. */
export function readPlace(text: string): Place | undefined {
  const [runtime, prefix] = text.split(/\r?\n/);
  return runtime && prefix ? { runtime, prefix } : undefined;
}
