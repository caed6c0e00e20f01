import { join } from 'node:path';
import * as z from 'zod';
import type { Outcome, RunEvent } from '../protocol/model.ts';
import type {
  Action,
  Conversation,
  Demand,
  Engine,
  Identity,
  Launch,
  Received,
  RunRequest,
  SignInQuestion,
} from './engine.ts';
import { failedTurn, failureBy, type FailureRule } from './failure.ts';
import { createMessagesReader, type TurnResult } from './messages.ts';
import { parsedObject } from './parsedObject.ts';
import { promptWithInstructions } from './prompt.ts';
import { needsConsent, refusedInput } from './refusal.ts';
import { converse } from './transcript.ts';

const title = 'Claude Code';

const howToSignIn = 'Run `claude auth login` in a terminal (or `claude`, and type `/login`), then try again.';

/**
 * By the code that Claude Code 2.1 gives an API error (`api_error_status`, `error`), else by its wording; the words are
 * `<status> <code> <text>`.
 */
const failures: readonly FailureRule[] = [
  {
    when: /billing_error|(?:reached|hit|exceeded) your (?:usage )?(?:limit|quota)|usage limit reached|credit balance is too low/i,
    reason: 'rateLimited',
    says: 'The Claude plan or credit is used up. Wait until it is renewed, or choose another engine.',
  },
  {
    when: /^(?:401|403) |authentication_failed|not logged in|invalid api key|oauth token/i,
    reason: 'notSignedIn',
    says: `Claude Code is not signed in, or its account may not use the service. ${howToSignIn}`,
  },
  {
    when: /^429 |rate_limit/i,
    reason: 'rateLimited',
    says: 'The model service asks Claude Code to slow down. Wait a minute, then try again.',
  },
  {
    when: /^404 |model_not_found|issue with the selected model/i,
    reason: 'badRequest',
    says: 'Claude Code cannot use this model. Name another one, or leave it out to use the default.',
  },
  {
    when: /prompt is too long|context window/i,
    reason: 'badRequest',
    says: 'The task does not fit into the context of this model. Ask for less at once, or choose another model.',
  },
  {
    when: /^400 |invalid_request/i,
    reason: 'badRequest',
    says: 'The model service refused the request. Check model and effort, then try again.',
  },
  {
    when: /no conversation found|requires a valid session id/i,
    reason: 'badRequest',
    says: 'Claude Code does not know this session in this folder: it was deleted, or began in another folder. Start a new task instead of a follow-up.',
  },
  {
    when: /session id .* already in use/i,
    reason: 'environment',
    says: 'Another Claude Code is at work in this session. Wait until it has ended, then try again.',
  },
  {
    when: /unknown option|is invalid\. allowed choices/i,
    reason: 'environment',
    says: 'This version of Claude Code does not take the options Sallyport uses. Run `claude update` in a terminal, then try again.',
  },
  {
    when: /overloaded|server_error|^5\d\d |unable to connect|connection|timed? ?out/i,
    reason: 'environment',
    says: 'Claude Code cannot reach the model service, or the service has trouble. Check the network, then try again.',
  },
];

const efforts = ['low', 'medium', 'high', 'xhigh', 'max'];
const readingTools = ['Read', 'Glob', 'Grep'];
const editingTools = ['Edit', 'Write', 'NotebookEdit'];
const webTools = ['WebSearch', 'WebFetch'];

function refuses(demand: Demand): string | undefined {
  const { access, effort, unsandboxedConsent } = demand;
  if (access === 'full' && !unsandboxedConsent) return needsConsent(title, access);
  if (effort !== undefined && !efforts.includes(effort)) {
    return `Claude Code knows no effort ${JSON.stringify(effort.slice(0, 100))}. Choose one of ${efforts.join(', ')}.`;
  }
  return refusedInput(demand);
}

/** The names of variables that hold credentials for Claude Code itself; its commands have no use for them. */
const secretVariables = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_BEARER_TOKEN_BEDROCK',
];

/**
 * What a worker may do, by access:
 * - `readOnly`: only the reading tools exist, in sub-agents as well; that is what `--tools` enforces.
 * - `workspaceWrite`: the editing tools too, which `acceptEdits` lets work inside the folder. Bash exists only with the
 *   person's consent to unsandboxed work, because a command can write anywhere; then it may run whatever it wants.
 * - `full` (only with that consent): every tool, and every question about permission is answered with yes. That needs
 *   no `--dangerously-skip-permissions`, which Claude Code refuses to root.
 * Hooks of the project are commands, so they run only where commands may.
 *
 * Secrets are kept from commands by a file that Claude Code sources before each of them (CLAUDE_ENV_FILE); its own
 * CLAUDE_CODE_SUBPROCESS_ENV_SCRUB changes the permission mode and leaves files in the workspace. A command that reads
 * the environment of its parent through /proc still finds them.
 */
function launch(request: RunRequest): Launch {
  const why = refuses(request);
  if (why !== undefined) throw new Error(why);
  const { model, effort, instructions, resume, scratch } = request;
  const environmentFile = join(scratch, 'claude-environment.sh');
  return {
    args: [
      ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
      ...['--permission-prompt-tool', 'stdio', '--strict-mcp-config', '--setting-sources', 'project'],
      ...accessFlags(request),
      ...(model === undefined ? [] : ['--model', model]),
      ...(effort === undefined ? [] : ['--effort', effort]),
      ...(instructions === undefined || resume ? [] : [`--append-system-prompt=${instructions}`]),
      ...(resume ? ['--resume', resume.id] : ['--session-id', request.newSessionId]),
    ],
    env: {
      CLAUDE_ENV_FILE: environmentFile,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    files: [{ path: environmentFile, text: `unset ${secretVariables.join(' ')}\n` }],
  };
}

function accessFlags({ access, web, unsandboxedConsent }: RunRequest): string[] {
  const mayRunCommands = unsandboxedConsent && access !== 'readOnly';
  const tools = [
    ...readingTools,
    ...(access === 'readOnly' ? [] : editingTools),
    ...(mayRunCommands ? ['Bash'] : []),
    ...(web ? webTools : []),
  ];
  return [
    ...(access === 'readOnly' ? [] : ['--permission-mode', 'acceptEdits']),
    ...(access === 'full' ? [] : [`--tools=${tools.join(',')}`]),
    ...(access === 'full' && !web ? [`--disallowedTools=${webTools.join(',')}`] : []),
    ...(mayRunCommands ? [] : ['--settings', JSON.stringify({ disableAllHooks: true })]),
  ];
}

const retrySchema = z.object({
  type: z.literal('system'),
  subtype: z.literal('api_retry'),
  attempt: z.number().catch(0),
  max_retries: z.number().catch(0),
  error_status: z.number().nullish().catch(undefined),
  error: z.string().catch('unknown'),
});
const controlSchema = z.object({
  type: z.literal('control_request'),
  request_id: z.string(),
  request: z
    .object({ subtype: z.string(), tool_name: z.string().optional(), input: z.unknown() })
    .partial({ input: true }),
});
const errorCodeSchema = z.object({ type: z.literal('assistant'), error: z.string() });

/** A refused key is tried ten times over minutes; a token that was just renewed is accepted by the third try. */
const triesOfRefusedKey = 3;

function conversation(request: RunRequest): Conversation {
  const readMessages = createMessagesReader({
    cwd: request.cwd,
    writes: (tool) => editingTools.includes(tool),
    created: (result) => createdSchema.safeParse(result).success,
  });
  let errorCode = '';

  const readTurnEnd = (events: RunEvent[], result: TurnResult): Received => ({
    events: [
      ...events,
      ...result.deniedTools.map((tool): RunEvent => ({
        kind: 'warning',
        unasked: true,
        text: `Claude Code was not allowed to use ${tool}.`,
      })),
    ],
    actions: [{ kind: 'endInput' }],
    outcome: result.failed ? failed(result, errorCode) : { status: 'completed', text: result.text },
  });

  const readRetry = (retry: z.infer<typeof retrySchema>): Received => {
    const status = retry.error_status ?? undefined;
    const detail = `Attempt ${retry.attempt} of ${retry.max_retries} failed: ${retry.error}${status === undefined ? '' : ` (${status})`}`;
    const events: RunEvent[] = [{ kind: 'retrying', detail }];
    if (status !== 401 || retry.attempt < triesOfRefusedKey) return { events };
    const failure = failureBy(failures, title, `401 ${retry.error}`);
    return failure
      ? { events, actions: [{ kind: 'endInput' }], outcome: { status: 'failed', ...failure } }
      : { events };
  };

  return converse({
    title,
    failures,
    start: [{ kind: 'write', line: userLine(request) }],
    interrupt: [writeJson({ type: 'control_request', request_id: 'stop', request: { subtype: 'interrupt' } })],
    read(line) {
      const control = controlSchema.safeParse(line);
      if (control.success) return { events: [], actions: [answerControl(control.data, request)] };
      const retry = retrySchema.safeParse(line);
      if (retry.success) return readRetry(retry.data);
      const code = errorCodeSchema.safeParse(line);
      if (code.success) {
        // A message that Claude Code wrote itself, for an error that the result tells as well.
        errorCode = code.data.error;
        return { events: [] };
      }
      const reading = readMessages(line);
      if (!reading?.result) return reading && { events: reading.events };
      return readTurnEnd(reading.events, reading.result);
    },
  });
}

const createdSchema = z.object({ type: z.literal('create') });

function failed({ text, apiStatus }: TurnResult, errorCode: string): Outcome {
  const known = failureBy(failures, title, `${apiStatus ?? ''} ${errorCode} ${text}`, text);
  if (known) return { status: 'failed', ...known };
  // What it prints about an interrupted turn is a note to its own makers.
  return failedTurn(failures, title, text.startsWith('[ede_diagnostic]') ? '' : text);
}

function writeJson(value: unknown): Action {
  return { kind: 'write', line: JSON.stringify(value) };
}

/** A prompt that begins with a slash would be taken for a command of Claude Code's own. */
function userLine(request: RunRequest): string {
  const prompt = request.resume ? promptWithInstructions(request) : request.prompt;
  const text = prompt.trimStart().startsWith('/') ? `The task:\n${prompt}` : prompt;
  const message = { role: 'user', content: [{ type: 'text', text }] };
  return JSON.stringify({ type: 'user', message, parent_tool_use_id: null, session_id: '' });
}

const nobodyToAsk =
  'Nobody can be asked during this run. Decide from what you were told, and say in your answer what you decided.';
const notAllowed =
  'This worker runs unattended and may not do this. Go on without it, and say in your answer what you could not do.';

/** The protocol waits for an answer to every control request, so each gets one. */
function answerControl({ request_id: id, request: asked }: z.infer<typeof controlSchema>, request: RunRequest): Action {
  if (asked.subtype !== 'can_use_tool') {
    return writeJson({
      type: 'control_response',
      response: { subtype: 'error', request_id: id, error: 'Not supported.' },
    });
  }
  const tool = asked.tool_name ?? '';
  const response = mayUse(tool, request)
    ? { behavior: 'allow', updatedInput: asked.input ?? {} }
    : { behavior: 'deny', message: tool === 'AskUserQuestion' ? nobodyToAsk : notAllowed };
  return writeJson({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
}

function mayUse(tool: string, { access, web, unsandboxedConsent }: RunRequest): boolean {
  if (tool === 'AskUserQuestion') return false;
  if (webTools.includes(tool)) return web;
  if (!unsandboxedConsent) return false;
  return access === 'full' || (access === 'workspaceWrite' && tool === 'Bash');
}

const neededFlags = [
  '--input-format',
  '--tools',
  '--session-id',
  '--setting-sources',
  '--strict-mcp-config',
  '--settings',
];

/** `text`: `claude --version` says `2.1.332 (Claude Code)`. `--permission-prompt-tool` is hidden in some versions' help. */
function identify(text: string): Identity {
  const version = /(\d+\.\d+\.\d+\S*) \(Claude Code\)/.exec(text)?.[1];
  if (version === undefined) return { ok: false, why: "This is not Anthropic's Claude Code." };
  const missing = neededFlags.filter((flag) => !text.includes(`${flag} `));
  if (missing.length === 0) return { ok: true, version };
  return {
    ok: false,
    why: `Claude Code ${version} is too old: it has no ${missing.join(', ')}. Run \`claude update\`.`,
  };
}

/** As in `@anthropic-ai/claude-code` 2.1: the wrapper lies in `bin/`, the binary in a package of its platform. */
function nativeBinaries(platform: NodeJS.Platform, arch: string): readonly string[] {
  const file = platform === 'win32' ? 'claude.exe' : 'claude';
  const packages = [
    `claude-code-${platform}-${arch}`,
    ...(platform === 'linux' ? [`claude-code-linux-${arch}-musl`] : []),
  ];
  return packages.flatMap((name) => [`../../${name}/${file}`, `../node_modules/@anthropic-ai/${name}/${file}`]);
}

const stateFileSchema = z.record(z.string(), z.unknown());

/** `.claude.json` holds the account, and with it MCP servers: for all folders, and by folder in `projects`. */
function withoutServers(text: string): string {
  try {
    const { mcpServers: _servers, projects: _projects, ...rest } = stateFileSchema.parse(JSON.parse(text));
    return JSON.stringify(rest);
  } catch {
    return '{}';
  }
}

const statusSchema = z.object({
  loggedIn: z.boolean(),
  email: z.string().optional().catch(undefined),
  apiKeySource: z.string().optional().catch(undefined),
});

/** By Claude Code 2.1.332, which answers in JSON. */
const signIn: SignInQuestion = {
  args: ['auth', 'status'],
  read(text) {
    const status = statusSchema.safeParse(parsedObject(text)).data;
    if (!status) return { state: 'unknown' };
    return status.loggedIn
      ? { state: 'signedIn', how: status.apiKeySource, account: status.email }
      : { state: 'signedOut' };
  },
};

/** Anthropic's Claude Code, driven by `claude -p` with stream-json both ways: standard input stays open until the result. */
export const claude: Engine = {
  id: 'claude',
  title,
  binaries: ['claude'],
  installHint: 'Install it with `npm install -g @anthropic-ai/claude-code`.',
  signInHint: 'Sign in with `claude auth login`, or by running `claude` and typing `/login`.',
  signIn,
  environment: [
    'ANTHROPIC_*',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
    'CLAUDE_CODE_USE_FOUNDRY',
    'CLAUDE_CODE_MAX_RETRIES',
    'API_TIMEOUT_MS',
    'AWS_PROFILE',
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'CLOUD_ML_REGION',
    'GOOGLE_APPLICATION_CREDENTIALS',
  ],
  state: {
    folders: [
      {
        path: '.claude',
        variable: 'CLAUDE_CONFIG_DIR',
        hidden: [
          ...['CLAUDE.md', 'settings.json', 'settings.local.json', 'statusline-command.sh'],
          ...['rules/', 'skills/', 'plugins/', 'commands/', 'agents/', 'hooks/', 'output-styles/', 'agent-memory/'],
        ],
        readOnly: ['local'],
        copied: [{ path: '.claude.json', edit: withoutServers }],
      },
    ],
    files: [{ path: '.claude.json', edit: withoutServers }],
  },
  ownSandbox: false,
  strayFolders: [],
  refuses,
  nativeBinaries,
  identify,
  launch,
  conversation,
};
