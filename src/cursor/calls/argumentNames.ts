/** What the arguments of calls are called, the best known name first, as public readers of the store report them. */
export const argumentNames = {
  command: ['command'],
  folder: ['working_directory', 'workingDirectory', 'cwd'],
  path: ['path', 'file_path', 'filePath', 'target_file', 'targetFile', 'relative_workspace_path', 'file'],
  contents: ['contents', 'content', 'file_text', 'fileText'],
  before: ['old_string', 'oldString', 'old_str', 'oldText', 'old_text'],
  after: ['new_string', 'newString', 'new_str', 'newText', 'new_text'],
  patch: ['patch', 'input', 'diff', 'patchText'],
  url: ['url'],
  query: ['search_term', 'searchTerm', 'query'],
  server: ['server', 'serverName', 'providerIdentifier'],
  tool: ['toolName', 'tool', 'name'],
  input: ['arguments', 'args'],
  mode: ['mode', 'targetMode', 'target_mode', 'targetModeId', 'target_mode_id'],
  explanation: ['explanation', 'reason'],
  title: ['title'],
} as const satisfies Record<string, readonly string[]>;

export type ArgumentKind = keyof typeof argumentNames;
