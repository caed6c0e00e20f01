/** The versions that the format of stores and screens was checked on, by their dates. */
const checked = { first: '2026.06.02', last: '2026.10.01' };

/** The absolute path of one of its own files. */
const installed = /^(?:\/|[A-Za-z]:\\).*[\\/]cursor-agent[\\/]versions[\\/]([\w.+-]{1,64})[\\/][\w.-]+$/;
const dated = /^(\d{4}\.\d{2}\.\d{2})(?![\d.])/;

/**
 * The version of cursor-agent that a process runs, from where it is installed: `…/cursor-agent/versions/2026.09.18-9a7762b/…`
 * in its program or script, never in what it was asked to do. Undefined when its arguments do not tell.
 */
export function versionOf(argv: readonly string[]): { text: string; isChecked: boolean } | undefined {
  const script = argv.slice(1).find((argument) => !argument.startsWith('-'));
  const text = [script, argv[0]].map((path) => installed.exec(path ?? '')?.[1]).find((found) => found !== undefined);
  if (text === undefined) return undefined;
  return { text, isChecked: isCheckedVersion(text) };
}

/** Whether the formats were checked on a version, as `cursor-agent --version` names it. */
export function isCheckedVersion(text: string): boolean {
  const date = dated.exec(text)?.[1];
  return date !== undefined && date >= checked.first && date <= checked.last;
}
