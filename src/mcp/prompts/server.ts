/** What every client's model is told once about this server. Paid for by every caller, so kept short. */
export const serverInstructions = [
  'Sallyport hands work to other coding agents on this machine and returns only their conclusion.',
  'Give it reading, locating, web look-ups and grunt work whose steps are much longer than the outcome; where they are not,',
  'work yourself. Read natively only what you are about to edit. Workers see only your prompt.',
  'Answers end with a session_id for follow_up; after "still running" call it with that id alone.',
].join(' ');
