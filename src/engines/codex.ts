import * as z from 'zod';
import type { Access, FileChange, RunEvent, Usage } from '../protocol/model.ts';
import type { Conversation, Demand, Engine, Identity, Launch, Received, RunRequest, SignInQuestion } from './engine.ts';
import { failedTurn, type FailureRule } from './failure.ts';
import { promptWithInstructions } from './prompt.ts';
import { needsConsent, refusedInput } from './refusal.ts';
import { tomlWithout } from './tomlWithout.ts';
import { toolTitle } from './toolTitle.ts';
import { converse } from './transcript.ts';
import { workspacePath } from './workspacePath.ts';

const title = 'Codex';

/** By the wording of Codex 0.171; the first rule that fits counts. */
const failures: readonly FailureRule[] = [
  {
    when: /usage limit|quota exceeded|insufficient_quota|billing/i,
    reason: 'rateLimited',
    says: 'The Codex plan or quota is used up. Wait until it is renewed, or choose another engine.',
  },
  {
    when: /\b401\b|unauthorized|not (?:logged|signed) in|refresh token|token (?:is )?(?:expired|revoked|invalid)/i,
    reason: 'notSignedIn',
    says: 'Codex is not signed in, or its key is refused. Run `codex login` in a terminal, then try again.',
  },
  {
    when: /\b403\b|forbidden/i,
    reason: 'notSignedIn',
    says: 'The account Codex is signed in with may not use the service. Run `codex login` with another one, then try again.',
  },
  {
    when: /\b429\b|rate limit|too many requests/i,
    reason: 'rateLimited',
    says: 'The model service asks Codex to slow down. Wait a minute, then try again.',
  },
  {
    when: /model\b.*(?:does not exist|not (?:be )?found|not supported|do not have access)|unknown model/i,
    reason: 'badRequest',
    says: 'Codex cannot use this model. Name another one, or leave it out to use the default.',
  },
  {
    when: /context window|context_length|too (?:long|large)|maximum length/i,
    reason: 'badRequest',
    says: 'The task does not fit into the context of this model. Ask for less at once, or choose another model.',
  },
  {
    when: /missing environment variable/i,
    reason: 'environment',
    says: 'The Codex configuration takes its key from an environment variable that a worker does not have. Add it to the setting for worker environment variables, then try again.',
  },
  {
    when: /no rollout found/i,
    reason: 'badRequest',
    says: 'Codex does not know this session: it was deleted, or belongs to another Codex home. Start a new task instead of a follow-up.',
  },
  {
    when: /active writer/i,
    reason: 'environment',
    says: 'Another Codex is at work in this session. Wait until it has ended, then try again.',
  },
  {
    when: /codex home|CODEX_HOME|read-only file system|permission denied/i,
    reason: 'environment',
    says: 'Codex cannot use its own folder. Check that CODEX_HOME (or ~/.codex) exists and can be written, then try again.',
  },
  {
    when: /no prompt provided/i,
    reason: 'badRequest',
    says: 'Codex was given no prompt. Say what it should do.',
  },
  {
    when: /unexpected argument|unknown configuration field|no longer supported/i,
    reason: 'environment',
    says: 'This version of Codex does not take the options Sallyport uses. Run `codex update` in a terminal, then try again.',
  },
  {
    when: /invalid_request_error|\b400\b/i,
    reason: 'badRequest',
    says: 'The model service refused the request. Check model and effort, then try again.',
  },
  {
    when: /high demand|overloaded|status 5\d\d|internal server error/i,
    reason: 'environment',
    says: 'The model service has trouble. Wait a moment, then try again.',
  },
  {
    when: /stream disconnected|error sending request|connection|network|timed? ?out/i,
    reason: 'environment',
    says: 'Codex lost the connection to the model service. Check the network, then try again.',
  },
];

const sandboxOf: Record<Access, readonly string[]> = {
  readOnly: ['-s', 'read-only'],
  workspaceWrite: ['-s', 'workspace-write'],
  full: ['--dangerously-bypass-approvals-and-sandbox'],
};

/** Codex 0.171 takes no more in one prompt. */
const maxPromptChars = 1_048_576;

function refuses(demand: Demand): string | undefined {
  if (demand.access === 'full' && !demand.unsandboxedConsent) return needsConsent(title, demand.access);
  if (promptOf(demand).length > maxPromptChars) {
    return `Codex takes ${maxPromptChars} characters at most in a prompt. Put the material in a file and name its path.`;
  }
  if (demand.resume && !threadPattern.test(demand.resume.id)) {
    return `${JSON.stringify(demand.resume.id.slice(0, 100))} is no Codex session. Pass the session_id line of an earlier result.`;
  }
  return refusedInput(demand);
}

/** Codex 0.171 takes what is no UUID for the name of a thread, and begins a new thread when none has it. */
const threadPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `developer_instructions` reach the first run of a session only. */
function promptOf(request: Pick<RunRequest, 'prompt' | 'instructions' | 'resume'>): string {
  return request.resume ? promptWithInstructions(request) : request.prompt;
}

/**
 * Everything stands before the word `resume`, which takes no sandbox flag of its own: a resumed run gets its sandbox
 * again, so that it cannot inherit another. The prompt goes through standard input. `approval_policy` is left alone:
 * exec never asks, and other values are refused by recent versions.
 */
function launch(request: RunRequest): Launch {
  const why = refuses(request);
  if (why !== undefined) throw new Error(why);
  const { access, model, effort, instructions, resume, web } = request;
  const config = [
    // Without this a process that cannot reach the analytics service stays for 5 s after its answer.
    'analytics.enabled=false',
    `web_search=${tomlString(web ? 'live' : 'disabled')}`,
    // Keeps variables with KEY, SECRET or TOKEN in their name from the commands of the worker.
    'shell_environment_policy.ignore_default_excludes=false',
    ...(effort === undefined ? [] : [`model_reasoning_effort=${tomlString(effort)}`]),
    ...(instructions === undefined || resume ? [] : [`developer_instructions=${tomlString(instructions)}`]),
  ];
  const args = [
    ...['exec', '--json', '--skip-git-repo-check', ...sandboxOf[access]],
    ...config.flatMap((each) => ['-c', each]),
    ...(model === undefined ? [] : ['-m', model]),
    ...(resume ? ['resume', resume.id] : []),
    '-',
  ];
  return { args, env: {}, files: [] };
}

/** A TOML basic string. JSON's escapes are TOML's, except that TOML wants DEL escaped and knows no lone surrogates. */
function tomlString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', '\\u007f');
}

const itemSchema = z.object({
  id: z.string(),
  type: z.string(),
  text: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
  exit_code: z.number().nullish().catch(undefined),
  server: z.string().optional().catch(undefined),
  tool: z.string().optional().catch(undefined),
  query: z.string().optional().catch(undefined),
  prompt: z.string().optional().catch(undefined),
  changes: z
    .array(z.object({ path: z.string(), kind: z.string() }))
    .optional()
    .catch(undefined),
});
type Item = z.infer<typeof itemSchema>;

const count = z.number().nonnegative().catch(0);
const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({ type: z.literal(['item.started', 'item.updated', 'item.completed']), item: itemSchema }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }).catch({ message: '' }) }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z
      .object({ input_tokens: count, cached_input_tokens: count, output_tokens: count })
      .optional()
      .catch(undefined),
  }),
]);
type Event = z.infer<typeof eventSchema>;
const otherEventSchema = z.object({ type: z.string() });
const knownTypes: ReadonlySet<string> = new Set(eventSchema.options.flatMap((option) => [...option.shape.type.values]));

/** Item types that are no tools. The plan is the model's own list of what is left to do. */
const silentItems: ReadonlySet<string> = new Set(['reasoning', 'todo_list']);

function conversation(request: RunRequest): Conversation {
  const toolsSeen = new Set<string>();
  let answer = '';
  let lastError: string | undefined;

  const readItem = (type: Event['type'], item: Item): RunEvent[] => {
    const ended = type === 'item.completed';
    if (silentItems.has(item.type)) return [];
    if (item.type === 'agent_message' || item.type === 'error') {
      if (!ended) return [];
      if (item.type === 'error')
        return [{ kind: 'remark', text: item.message ?? 'Codex gave a warning without words.' }];
      answer = item.text ?? '';
      return [{ kind: 'message', text: answer }];
    }
    const events: RunEvent[] = [];
    if (!toolsSeen.has(item.id)) events.push({ kind: 'toolStarted', id: item.id, title: titleOf(item, request.cwd) });
    toolsSeen.add(item.id);
    if (!ended) return events;
    const ok = item.status !== 'failed' && item.status !== 'declined' && (item.exit_code ?? 0) === 0;
    events.push({ kind: 'toolEnded', id: item.id, ok });
    if (!ok || item.type !== 'file_change') return events;
    return [...events, ...changesOf(item, request.cwd).map((change): RunEvent => ({ kind: 'fileChange', change }))];
  };

  const readEvent = (event: Event): Received => {
    switch (event.type) {
      case 'thread.started':
        return { events: [{ kind: 'session', id: event.thread_id }] };
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return { events: readItem(event.type, event.item) };
      case 'error': {
        lastError = event.message;
        return {
          events: event.message.startsWith('Reconnecting') ? [{ kind: 'retrying', detail: event.message }] : [],
        };
      }
      case 'turn.failed':
        return { events: [], outcome: failedTurn(failures, title, event.error.message || (lastError ?? '')) };
      case 'turn.completed':
        return { events: usageOf(event.usage, request), outcome: { status: 'completed', text: answer } };
    }
  };

  return converse({
    title,
    failures,
    start: [{ kind: 'write', line: promptOf(request) }, { kind: 'endInput' }],
    lastError: () => lastError,
    read(raw) {
      const event = eventSchema.safeParse(raw);
      if (event.success) return readEvent(event.data);
      const other = otherEventSchema.safeParse(raw);
      return other.success && !knownTypes.has(other.data.type) ? { events: [] } : undefined;
    },
  });
}

/** Codex counts tokens for the whole thread, over all its runs: a run's own are the difference to what came before. */
function usageOf(
  usage: { input_tokens: number; cached_input_tokens: number; output_tokens: number } | undefined,
  { resume }: RunRequest,
): RunEvent[] {
  if (!usage) return [];
  const thread: Usage = {
    input: usage.input_tokens,
    cachedInput: usage.cached_input_tokens,
    output: usage.output_tokens,
  };
  const before = resume ? resume.threadUsage : { input: 0, cachedInput: 0, output: 0 };
  if (!before) return [{ kind: 'usage', thread }];
  const run: Usage = {
    input: Math.max(0, thread.input - before.input),
    cachedInput: Math.max(0, thread.cachedInput - before.cachedInput),
    output: Math.max(0, thread.output - before.output),
  };
  return [{ kind: 'usage', run, thread }];
}

function titleOf(item: Item, cwd: string): string {
  if (item.command !== undefined) return toolTitle('shell', { command: unwrapped(item.command) });
  if (item.type === 'file_change')
    return toolTitle('edit', {
      path: changesOf(item, cwd)
        .map(({ path }) => path)
        .join(', '),
    });
  if (item.type === 'mcp_tool_call') return toolTitle([item.server, item.tool].filter(Boolean).join('.') || 'tool', {});
  if (item.type === 'collab_tool_call')
    return toolTitle(item.tool?.replaceAll('_', ' ') ?? 'sub-agent', { description: item.prompt });
  return toolTitle(item.type.replaceAll('_', ' '), { query: item.query });
}

/** The command inside `/bin/bash -lc '…'`, without the quoting that Codex added for the shell. */
function unwrapped(command: string): string {
  const inner = /^\S*\b(?:ba|z|da|k)?sh(?:\.exe)? -l?c (.+)$/s.exec(command)?.[1];
  if (inner === undefined) return command;
  return inner.replace(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );
}

const changeKinds: Readonly<Record<string, FileChange['kind']>> = {
  add: 'added',
  delete: 'deleted',
  update: 'modified',
};

function changesOf({ changes = [] }: Item, cwd: string): FileChange[] {
  return changes.map(({ path, kind }) => ({ path: workspacePath(cwd, path), kind: changeKinds[kind] ?? 'modified' }));
}

/** `text`: `codex --version` says `codex-cli 0.171.0`. */
function identify(text: string): Identity {
  const version = /\bcodex-cli (\d+\.\d+\.\d+\S*)/.exec(text)?.[1];
  if (version === undefined) return { ok: false, why: "This is not OpenAI's Codex CLI." };
  if (!/^\s+exec\s/m.test(text)) {
    return { ok: false, why: `Codex ${version} cannot run without its screen (it has no \`codex exec\`).` };
  }
  return { ok: true, version };
}

const targets: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
  'win32-x64': 'x86_64-pc-windows-msvc',
  'win32-arm64': 'aarch64-pc-windows-msvc',
};

/** As in `@openai/codex` 0.171: the wrapper is `bin/codex.js`, the binary lies in a package of its platform. */
function nativeBinaries(platform: NodeJS.Platform, arch: string): readonly string[] {
  const target = targets[`${platform}-${arch}`];
  if (target === undefined) return [];
  const inside = `vendor/${target}/bin/codex${platform === 'win32' ? '.exe' : ''}`;
  const platformPackage = `codex-${platform}-${arch}`;
  return [`../../${platformPackage}/${inside}`, `../node_modules/@openai/${platformPackage}/${inside}`, `../${inside}`];
}

/** Top-level names of config.toml that start programs or tell the model something; providers and models stay. */
const steeringSettings = [
  ...['mcp_servers', 'hooks', 'notify', 'skills', 'plugins', 'marketplaces', 'agents', 'memories', 'instructions'],
  ...[
    'developer_instructions',
    'model_instructions_file',
    'experimental_instructions_file',
    'project_doc_fallback_filenames',
  ],
];

/** By Codex 0.171. What it says of a key shows parts of it, so nothing of its answer is passed on. */
const signIn: SignInQuestion = {
  args: ['login', 'status'],
  read(text) {
    if (/not logged in/i.test(text)) return { state: 'signedOut' };
    if (/using chatgpt/i.test(text)) return { state: 'signedIn', how: 'ChatGPT' };
    if (/api key/i.test(text)) return { state: 'signedIn', how: 'API key' };
    return /logged in/i.test(text) ? { state: 'signedIn' } : { state: 'unknown' };
  },
  ownService: { file: 'config.toml', read: ownProvider },
};

/** The provider that config.toml chooses, unless it is OpenAI's; its key comes from a variable. Top-level keys come first in TOML. */
function ownProvider(text: string): string | undefined {
  const [topLevel = ''] = text.split(/^\s*\[/m);
  const name = /^\s*model_provider\s*=\s*(?:"([^"\\]*)"|'([^']*)')/m.exec(topLevel);
  const provider = name?.[1] ?? name?.[2];
  return provider === 'openai' ? undefined : provider;
}

/** OpenAI's Codex CLI, driven by `codex exec --json`. */
export const codex: Engine = {
  id: 'codex',
  title,
  binaries: ['codex'],
  installHint: 'Install it with `npm install -g @openai/codex`.',
  signInHint: 'Sign in with `codex login`.',
  signIn,
  environment: [
    'CODEX_HOME',
    'CODEX_API_KEY',
    'CODEX_ACCESS_TOKEN',
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
    'OPENAI_ORGANIZATION',
    'OPENAI_PROJECT',
  ],
  state: {
    folders: [
      {
        path: '.codex',
        variable: 'CODEX_HOME',
        hidden: [
          ...['AGENTS.md', 'AGENTS.override.md', 'hooks.json', 'rules/', 'skills/', 'prompts/', 'plugins/', 'agents/'],
          'memories/',
        ],
        copied: [{ path: 'config.toml', edit: (text) => tomlWithout(text, steeringSettings) }],
      },
    ],
    files: [],
  },
  ownSandbox: true,
  strayFolders: ['.agents', '.aws', '.codex', '.git'],
  refuses,
  nativeBinaries,
  identify,
  launch,
  conversation,
};
