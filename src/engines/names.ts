/**
 * What a model, an effort or a session may be called: the words CLIs use, such as `gpt-5.6-luna`, `claude-opus-4-8[1m]`
 * or `vendor/model:tag`. None can be taken for a flag, and none means anything to a shell.
 */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._:/@[\]-]{0,127}$/;

/** Whether a model, effort or session of this name may stand in a worker's argv. */
export function isName(text: string): boolean {
  return namePattern.test(text);
}
