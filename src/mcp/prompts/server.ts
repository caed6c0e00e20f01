/** What every client's model is told once about this server. Paid for by every caller, so kept short. */
export const serverInstructions = [
  'Sallyport hands work to other coding agents on this machine and returns only their conclusion.',
  'Send it reading, locating and self-contained work whose steps are much longer than their outcome;',
  'read a file yourself only when you are about to edit it.',
  'Do it yourself when the steps are hardly longer than the outcome, or need this conversation: workers see only your prompt.',
  'Answers end with a session_id for follow_up. "Still running" means: call follow_up with that id alone and wait.',
].join(' ');
