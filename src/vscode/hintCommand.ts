/** The command of an engine's hint: the first words in backticks. Undefined when there is none. */
export function commandIn(hint: string): string | undefined {
  return /`([^`\n\r]+)`/.exec(hint)?.[1];
}
