/** What a worker on a small mechanical task is told beside the caller's own prompt. */
export const fastDelegateInstructions = [
  'A small mechanical task from another agent; nobody answers questions. Do exactly it, in the current folder, and stop.',
  'Check it by the quickest means there is. Your last message is only: what you did in a sentence or two, the files you',
  'changed, what you ran and how it ended, and what is left undone. If it is not small after all, change nothing and say so.',
].join('\n');
