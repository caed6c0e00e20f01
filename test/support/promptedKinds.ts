import type { ScenarioInput } from './cursorSimulator/scenario.ts';

type Step = NonNullable<ScenarioInput['steps']>[number];
type Call = Extract<Step, { step: 'calls' }>['calls'][number];

/** Makes calls together. */
export function calls(...batch: Call[]): Extract<Step, { step: 'calls' }> {
  return { step: 'calls', calls: batch };
}

/** Runs a command. */
export function run(command: string): Extract<Step, { step: 'calls' }> {
  return calls({ args: { command } });
}

/** Asks with a form. */
export function ask(...questions: { prompt: string; allowMultiple?: boolean; options: string[] }[]): Step {
  const withIds = questions.map(({ options, ...question }, index) => ({
    ...question,
    id: `q${index}`,
    options: options.map((label, place) => ({ id: `o${place}`, label })),
  }));
  return calls({ toolName: 'AskQuestion', args: { title: 'Before I go on', questions: withIds } });
}

/** A call of one kind, and what its card and its prompt are like. */
interface PromptedKind {
  name: string;
  call: Call;
  /** What the card says is asked, and what exactly. */
  shows: string[];
  /** It is rejected by this key alone, and nobody is asked why. */
  rejectedBy?: string;
}

const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-old line\n+new line\n*** End Patch';

/** One call of every kind that a session asks about. */
export const promptedKinds: PromptedKind[] = [
  {
    name: 'Shell',
    call: { args: { command: 'make deploy && echo "Grüße"', working_directory: '/srv/site' } },
    shows: ['Run a command', 'make deploy && echo "Grüße"', 'in /srv/site'],
  },
  {
    name: 'Write',
    call: { toolName: 'Write', args: { path: 'notes/größe.md', contents: '# Notes\n' } },
    shows: ['Write a file', 'notes/größe.md', '# Notes'],
  },
  {
    name: 'StrReplace',
    call: {
      toolName: 'StrReplace',
      args: { path: 'src/a.ts', old_string: 'const a = 1;', new_string: 'const a = 2;' },
    },
    shows: ['Edit a file', 'src/a.ts', 'const a = 1;', 'const a = 2;', '+1 −1'],
  },
  {
    name: 'ApplyPatch with an object',
    call: { toolName: 'ApplyPatch', args: { patch } },
    shows: ['Edit files', 'src/a.ts', 'new line', '+1 −1'],
  },
  {
    name: 'ApplyPatch with a text',
    call: { toolName: 'ApplyPatch', args: patch, argsName: 'input' },
    shows: ['Edit files', 'src/a.ts', 'new line', '+1 −1'],
  },
  {
    name: 'Delete',
    call: { toolName: 'Delete', args: { path: 'src/old.ts' } },
    shows: ['Delete a file', 'src/old.ts'],
    rejectedBy: 'n',
  },
  {
    name: 'WebFetch',
    call: { toolName: 'WebFetch', args: { url: 'https://docs.example.com/api?q=1' } },
    shows: ['Fetch a page', 'https://docs.example.com/api?q=1'],
  },
  {
    name: 'a web search',
    call: { toolName: 'WebSearch', args: { search_term: 'wal checkpoint starvation' } },
    shows: ['Search the web', 'wal checkpoint starvation'],
  },
  {
    name: 'an MCP tool',
    call: { toolName: 'CallMcpTool', args: { server: 'tracker', toolName: 'close_issue', arguments: { id: 7 } } },
    shows: ['Use an MCP tool', 'tracker · close_issue', '"id": 7'],
    rejectedBy: 'Escape',
  },
  {
    name: 'a mode switch',
    call: { toolName: 'SwitchMode', args: { target_mode_id: 'plan', explanation: 'This is a larger change.' } },
    shows: ['Switch the mode', 'plan', 'This is a larger change.'],
    rejectedBy: 'Escape',
  },
  {
    name: 'a tool that is not known',
    call: { toolName: 'Teleport', args: { target: 'the moon', fast: true } },
    shows: ['Use a tool', 'Teleport', 'the moon'],
  },
];
