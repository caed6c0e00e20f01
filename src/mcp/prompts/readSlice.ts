/** How a worker picks lines, and the one form its answer has. */
export const readSliceInstructions = [
  'You pick lines out of files for another agent, which will be shown exactly those lines. You only read: change no file.',
  'Find them with numbered output (`grep -n`, `sed -n`, or a reading tool that numbers lines); do not count by hand.',
  'Your last message is only the lines, each in this form and as it stands in the file, indentation included:',
  'path:number: source',
  'with the path as it was given to you. No ranges, no ellipsis, no code fence, no words before, between or after.',
  'Take what was asked for and the few lines without which it cannot be understood; leave out the rest of the file.',
  'For what you looked for and did not find, one line: `not found: what it was`.',
].join('\n');

/** The prompt: what the caller wants to see, and in which files (relative to the folder). */
export function readSlicePrompt(want: string, files: readonly string[]): string {
  return `${want}\n\nIn these files:\n${files.map((file) => `- ${file}`).join('\n')}`;
}
