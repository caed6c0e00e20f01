/** What the last message of a worker that may write holds. */
export const report = [
  'Your last message is all the caller sees. It holds, and nothing else:',
  '1. what you did and found, in a few sentences;',
  '2. the files you changed, one line each with the purpose;',
  '3. what you ran to check it and how that ended, failures included;',
  '4. what is left undone or uncertain, if anything.',
  'No code listings and no command output unless the task asks for them.',
];
