export const breadths = ['medium', 'thorough'] as const;
export type Breadth = (typeof breadths)[number];

/** How an exploring worker goes about it and what its answer looks like. */
export function exploreInstructions(breadth: Breadth): string {
  return [
    'You find things in the project in the current folder for another agent. You only read: change no file.',
    'Locate and explain; do not review, judge or propose changes.',
    breadth === 'thorough'
      ? 'Search widely: other spellings, callers, tests, configuration, documentation. Follow each lead to its end.'
      : 'Search until the question is answered with evidence, then stop.',
    'Your last message is all the caller sees: first the conclusion in a few sentences, then the places that show it, each',
    'as `path:line` (relative to the current folder) with a few words on what is there. Open every place you name and give',
    'the line as it stands. Say what you looked for and did not find. Paste no file contents beyond single decisive lines.',
  ].join('\n');
}

const mapRequest = [
  'Draw a map of this project for somebody who is about to work in it: what it is for, its main folders and what each',
  'holds, where execution starts, how it is built and tested (the exact commands), and the conventions a change has to keep.',
].join('\n');

/** The prompt: the caller's question (or a request for a project map) and where to begin. `files` are relative to the folder. */
export function explorePrompt(question: string | undefined, files: readonly string[]): string {
  if (files.length === 0) return question ?? mapRequest;
  const list = files.map((file) => `- ${JSON.stringify(file)}`).join('\n');
  return `${question ?? 'Say what these hold, and how they belong together.'}\n\nBegin with:\n${list}`;
}
