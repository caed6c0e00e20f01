/** One kind of prompt, and the message that should make cursor-agent show it. */
export interface ProbeKind {
  id: string;
  title: string;
  message: string;
  /** What the person should know before. */
  note?: string;
}

/** Files that the messages are about, by their names in the sample folder. */
export const sampleFiles: Readonly<Record<string, string>> = {
  'notes.md': '# Notes\n\none\n',
  'old.txt': 'This file may be deleted.\n',
};

/** Everything a person can be asked, in the order it is tried. The folder is a temporary one, so every answer is harmless. */
export const probeKinds: readonly ProbeKind[] = [
  { id: 'shell', title: 'a command', message: 'Run exactly this shell command once and nothing else: echo hi' },
  {
    id: 'shell-long',
    title: 'a command of several long lines',
    message: `Run exactly this as one shell command, in one call, and nothing else: printf '%s\\n' ${Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ')} && echo done > long.txt`,
  },
  {
    id: 'batch',
    title: 'two commands at once',
    message:
      'Run these two shell commands as two parallel tool calls in one turn, and nothing else: "echo one > one.txt" and "echo two > two.txt"',
  },
  {
    id: 'write',
    title: 'a new file',
    message: 'Create the file probe.md that holds the one line Hello. Do nothing else.',
  },
  {
    id: 'edit',
    title: 'a change of a file',
    message: 'In notes.md replace the word one by the word two. Do nothing else.',
  },
  {
    id: 'delete',
    title: 'a file to delete',
    message: 'Delete the file old.txt with your tool for deleting files, not by a command. Do nothing else.',
  },
  {
    id: 'fetch',
    title: 'a web page',
    message: 'Fetch https://example.com/ with your tool for web pages, not by a command. Do nothing else.',
  },
  { id: 'search', title: 'a web search', message: 'Search the web for: what is a sallyport? Do nothing else.' },
  {
    id: 'sandbox',
    title: 'a command outside the sandbox',
    message:
      'Run exactly this shell command with access to the network and nothing else: curl -sS https://example.com/',
  },
  {
    id: 'mcp',
    title: 'a tool of an MCP server',
    message: 'Call any one tool of any MCP server that you have, one that only reads. If you have none, say so.',
    note: 'Only for those who have an MCP server set up in Cursor. What its tool is given will be in the record: skip this if it is private.',
  },
  {
    id: 'mode',
    title: 'a switch of the mode',
    message: 'Ask to switch to plan mode with your tool for that. Do nothing else.',
  },
  {
    id: 'question',
    title: 'a question',
    message: 'Ask me with your question tool which colour I like: red, green or blue. Do nothing else.',
  },
  {
    id: 'questions',
    title: 'several questions, one of them with several choices',
    message:
      'Ask me with your question tool in one form: which colour I like (red, green or blue), and which days suit me (Monday, Tuesday, Friday; several choices allowed). Do nothing else.',
  },
];
