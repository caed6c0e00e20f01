import * as z from 'zod';
import type { RunEvent, Usage } from '../protocol/model.ts';
import type { Conversation, Demand, Engine, Identity, Launch, Received, RunRequest, SignInQuestion } from './engine.ts';
import { failedTurn, type FailureRule } from './failure.ts';
import { parsedObject } from './parsedObject.ts';
import { promptWithInstructions } from './prompt.ts';
import { needsConsent, refusedArgument, refusedInput } from './refusal.ts';
import { toolTitle } from './toolTitle.ts';
import { converse } from './transcript.ts';
import { workspacePath } from './workspacePath.ts';

const title = 'Cursor';

/** By documentation and reports only; on failure the CLI prints plain text. */
const failures: readonly FailureRule[] = [
  {
    when: /workspace trust required|do you trust/i,
    reason: 'environment',
    says: 'Cursor does not trust this folder. Run `cursor-agent` in it once and trust it, then try again.',
  },
  {
    when: /usage limit|quota|upgrade your plan|billing/i,
    reason: 'rateLimited',
    says: 'The Cursor plan is used up. Wait until it is renewed, or choose another engine.',
  },
  {
    when: /not (?:logged|signed) in|authentication required|invalid api key|unauthorized|\b401\b/i,
    reason: 'notSignedIn',
    says: 'Cursor is not signed in. Run `cursor-agent login` in a terminal, then try again.',
  },
  {
    when: /\b429\b|rate.?limit|too many requests/i,
    reason: 'rateLimited',
    says: 'The model service asks Cursor to slow down. Wait a minute, then try again.',
  },
  {
    when: /(?:cannot use|unknown|invalid) (?:this )?model|model\b.*not (?:found|available)/i,
    reason: 'badRequest',
    says: 'Cursor cannot use this model. `cursor-agent --list-models` lists what there is; or leave it out to use the default.',
  },
  {
    when: /(?:chat|session|conversation)\b.*not found/i,
    reason: 'badRequest',
    says: 'Cursor does not know this chat. Start a new task instead of a follow-up.',
  },
  {
    when: /unknown option/i,
    reason: 'environment',
    says: 'This version of Cursor does not take the options Sallyport uses. Run `cursor-agent update` in a terminal, then try again.',
  },
  {
    when: /connection|network|timed? ?out|unavailable/i,
    reason: 'environment',
    says: 'Cursor cannot reach its service. Check the network, then try again.',
  },
];

function refuses(demand: Demand): string | undefined {
  const { access, effort, unsandboxedConsent, web } = demand;
  if (access !== 'readOnly' && !unsandboxedConsent) return needsConsent(title, access);
  if (web) return "Cursor's CLI has no option for web search. Choose another engine.";
  if (effort !== undefined) return "Cursor's CLI has no option for the effort. Choose a model by its name instead.";
  return refusedInput(demand) ?? refusedArgument('Prompt and instructions', promptOf(demand));
}

const noQuestions =
  'Do not ask questions: nobody can answer during this run. Decide from what you were told, and say what you decided.';

function promptOf(request: Pick<RunRequest, 'instructions' | 'prompt'>): string {
  return `${promptWithInstructions(request)}\n\n${noQuestions}`;
}

/** `--mode ask` is the reading mode; without `--force` Cursor refuses what its own rules do not allow, and says so nowhere. */
function launch(request: RunRequest): Launch {
  const why = refuses(request);
  if (why !== undefined) throw new Error(why);
  const { access, model, resume } = request;
  const args = [
    ...['-p', '--output-format', 'stream-json', '--trust'],
    ...(access === 'readOnly' ? ['--mode', 'ask'] : ['--force']),
    ...(model === undefined ? [] : ['--model', model]),
    ...(resume ? ['--resume', resume.id] : []),
    ...['--', promptOf(request)],
  ];
  return { args, env: {}, files: [] };
}

const text = z.string().optional().catch(undefined);
const callSchema = z
  .object({ args: z.unknown(), result: z.record(z.string(), z.unknown()).optional().catch(undefined) })
  .partial({ args: true });
const tokens = z.number().nonnegative().catch(0);
const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('system'), session_id: text }),
  z.object({
    type: z.literal('assistant'),
    message: z.object({
      content: z.array(z.object({ type: z.string(), text }).catch({ type: 'unreadable' })).catch([]),
    }),
  }),
  z.object({
    type: z.literal('tool_call'),
    subtype: z.string(),
    call_id: z.string(),
    tool_call: z.record(z.string(), z.unknown()),
  }),
  z.object({
    type: z.literal('result'),
    is_error: z.boolean().catch(false),
    result: z.string().catch(''),
    usage: z
      .object({ inputTokens: tokens, outputTokens: tokens, cacheReadTokens: tokens, cacheWriteTokens: tokens })
      .optional()
      .catch(undefined),
  }),
]);
type Line = z.infer<typeof lineSchema>;
const anyTypeSchema = z.object({ type: z.string() });
const knownTypes: ReadonlySet<string> = new Set(['system', 'assistant', 'tool_call', 'result']);

/** The CLI answers its own questions so; nobody was asked, and it is no consent. */
const skippedQuestions = /questions skipped by the user/i;

function conversation(request: RunRequest): Conversation {
  let lastText = '';
  let warnedOfQuestions = false;

  const warnOfQuestions = (words: string): RunEvent[] => {
    if (warnedOfQuestions || !skippedQuestions.test(words)) return [];
    warnedOfQuestions = true;
    return [
      {
        kind: 'warning',
        unasked: true,
        text: 'Cursor asked questions that nobody saw, and answered them itself as skipped. Its result rests on its own assumptions, not on anybody’s consent.',
      },
    ];
  };

  const readLine = (line: Line): Received => {
    switch (line.type) {
      case 'system':
        return { events: line.session_id === undefined ? [] : [{ kind: 'session', id: line.session_id }] };
      case 'assistant': {
        const texts = line.message.content.flatMap(({ type, text: words }) =>
          type === 'text' && words !== undefined ? [words] : [],
        );
        if (texts.length === 0) return { events: [] };
        lastText = texts.join('');
        return { events: [{ kind: 'message', text: lastText }] };
      }
      case 'tool_call': {
        const events = callEvents(line, request.cwd);
        return { events: [...events, ...warnOfQuestions(JSON.stringify(line.tool_call))] };
      }
      case 'result': {
        const answer = line.result === '' ? lastText : line.result;
        return {
          events: [...usageEvents(line.usage), ...warnOfQuestions(answer)],
          outcome: line.is_error ? failedTurn(failures, title, answer) : { status: 'completed', text: answer },
        };
      }
    }
  };

  return converse({
    title,
    failures,
    start: [{ kind: 'endInput' }],
    read(raw) {
      const line = lineSchema.safeParse(raw);
      if (line.success) return readLine(line.data);
      const other = anyTypeSchema.safeParse(raw);
      return other.success && !knownTypes.has(other.data.type) ? { events: [] } : undefined;
    },
  });
}

const changeKinds = { editToolCall: 'modified', writeToolCall: 'modified', deleteToolCall: 'deleted' } as const;
const pathSchema = z.object({ path: z.string() });

/** `tool_call` holds the call under the name of its kind, e.g. `shellToolCall: { args, result: { success | failure | rejected } }`. */
function callEvents(
  { subtype, call_id: id, tool_call: byKind }: Extract<Line, { type: 'tool_call' }>,
  cwd: string,
): RunEvent[] {
  const kind = Object.keys(byKind).find((key) => key.endsWith('ToolCall')) ?? '';
  const call = callSchema.safeParse(byKind[kind]);
  const { args, result } = call.success ? call.data : {};
  const name = toolTitle(kind.replace(/ToolCall$/, '') || 'tool', args);
  if (subtype !== 'completed') return subtype === 'started' ? [{ kind: 'toolStarted', id, title: name }] : [];
  const ok = result !== undefined && 'success' in result;
  const events: RunEvent[] = [{ kind: 'toolEnded', id, ok }];
  if (result && 'rejected' in result)
    events.push({
      kind: 'warning',
      unasked: true,
      text: `Cursor was not allowed to do this: ${name}`,
    });
  const file = pathSchema.safeParse(args);
  if (!ok || !isChange(kind) || !file.success) return events;
  return [
    ...events,
    { kind: 'fileChange', change: { path: workspacePath(cwd, file.data.path), kind: changeKinds[kind] } },
  ];
}

function isChange(kind: string): kind is keyof typeof changeKinds {
  return Object.hasOwn(changeKinds, kind);
}

/** Cursor's input count leaves out what came from the cache or went there. */
function usageEvents(usage: Extract<Line, { type: 'result' }>['usage']): RunEvent[] {
  if (!usage) return [];
  const run: Usage = {
    input: usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
    cachedInput: usage.cacheReadTokens,
    output: usage.outputTokens,
  };
  return [{ kind: 'usage', run }];
}

/** `text`: the help begins `Usage: agent …` or `cursor-agent …` and `Start the Cursor Agent`; versions are dates. */
function identify(text: string): Identity {
  if (!/cursor agent/i.test(text)) return { ok: false, why: "This is not Cursor's CLI." };
  const version = /\b(20\d\d\.\d+\.\d+\S*)/.exec(text)?.[1] ?? 'unknown';
  const missing = ['--output-format', '--resume', '--mode', '--trust'].filter((flag) => !text.includes(`${flag} `));
  if (missing.length === 0) return { ok: true, version };
  return {
    ok: false,
    why: `Cursor's CLI ${version} is too old: it has no ${missing.join(', ')}. Run \`cursor-agent update\`.`,
  };
}

const statusSchema = z.object({
  isAuthenticated: z.boolean(),
  userInfo: z.object({ email: z.string() }).optional().catch(undefined),
});

/** By documentation and reports: in JSON, and before there was that as a sentence. */
const signIn: SignInQuestion = {
  args: ['status', '--format', 'json'],
  read(text) {
    const status = statusSchema.safeParse(parsedObject(text)).data;
    if (status?.isAuthenticated === true) return { state: 'signedIn', account: status.userInfo?.email };
    if (status || /not (?:logged in|authenticated)/i.test(text)) return { state: 'signedOut' };
    const account = /logged in as (\S+)/i.exec(text)?.[1];
    return account === undefined ? { state: 'unknown' } : { state: 'signedIn', account };
  },
};

/** Cursor's headless CLI, known from documentation and recordings only. */
export const cursor: Engine = {
  id: 'cursor',
  title,
  binaries: ['cursor-agent', 'agent'],
  installHint: 'Install it with `curl https://cursor.com/install -fsS | bash`.',
  signInHint: 'Sign in with `cursor-agent login`.',
  signIn,
  environment: ['CURSOR_API_KEY', 'CURSOR_AUTH_TOKEN', 'CURSOR_CONFIG_DIR', 'XDG_CONFIG_HOME'],
  state: {
    folders: [
      {
        path: '.cursor',
        variable: 'CURSOR_CONFIG_DIR',
        hidden: [
          ...['mcp.json', 'hooks.json', 'AGENTS.md'],
          ...['rules/', 'hooks/', 'skills/', 'commands/', 'agents/', 'plugins/', 'extensions/'],
        ],
      },
      { path: '.config/cursor', variable: 'XDG_CONFIG_HOME', below: 'cursor', hidden: [] },
    ],
    files: [],
  },
  ownSandbox: false,
  strayFolders: [],
  refuses,
  nativeBinaries: () => [],
  identify,
  launch,
  conversation,
};
