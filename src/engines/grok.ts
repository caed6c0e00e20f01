import { join } from 'node:path';
import * as z from 'zod';
import type { Outcome } from '../protocol/model.ts';
import type { Conversation, Demand, Engine, Identity, Launch, RunRequest, SignInQuestion } from './engine.ts';
import { failedTurn, type FailureRule } from './failure.ts';
import { createMessagesReader, type TurnResult } from './messages.ts';
import { promptWithInstructions } from './prompt.ts';
import { needsConsent, refusedInput } from './refusal.ts';
import { tomlWithout } from './tomlWithout.ts';
import { converse } from './transcript.ts';

const title = 'Grok';

/** By the wording of Grok Build 1.0.41; the first rule that fits counts. */
const failures: readonly FailureRule[] = [
  {
    when: /usage.?limit|insufficient_quota|exceeded your .*quota|out of credits|billing/i,
    reason: 'rateLimited',
    says: 'The Grok plan or quota is used up. Wait until it is renewed, or choose another engine.',
  },
  {
    when: /session restore|session .*not found|no session/i,
    reason: 'badRequest',
    says: 'Grok does not know this session. Start a new task instead of a follow-up.',
  },
  {
    when: /\b401\b|unauthorized|not signed in|failed to authenticate|no api key/i,
    reason: 'notSignedIn',
    says: 'Grok is not signed in, or its key is refused. Run `grok login` in a terminal, then try again.',
  },
  {
    when: /\b403\b|forbidden/i,
    reason: 'notSignedIn',
    says: 'The account Grok is signed in with may not use the service. Run `grok login` with another one, then try again.',
  },
  {
    when: /\b429\b|rate.?limit|too many requests/i,
    reason: 'rateLimited',
    says: 'The model service asks Grok to slow down. Wait a minute, then try again.',
  },
  {
    when: /unknown model|model\b.*(?:does not exist|not found)/i,
    reason: 'badRequest',
    says: 'Grok cannot use this model. `grok models` lists what there is; or leave it out to use the default.',
  },
  {
    when: /context (?:window|length)|too (?:long|large)/i,
    reason: 'badRequest',
    says: 'The task does not fit into the context of this model. Ask for less at once, or choose another model.',
  },
  {
    when: /already in use/i,
    reason: 'environment',
    says: 'Another Grok is at work in this session. Wait until it has ended, then try again.',
  },
  {
    when: /unexpected argument|invalid value .* for '--/i,
    reason: 'environment',
    says: 'This version of Grok does not take the options Sallyport uses. Run `grok update` in a terminal, then try again.',
  },
  {
    when: /\b400\b|invalid_request_error/i,
    reason: 'badRequest',
    says: 'The model service refused the request. Check model and effort, then try again.',
  },
  {
    when: /status 5\d\d|internal server error|overloaded|error sending request|connection|network|timed? ?out|stream/i,
    reason: 'environment',
    says: 'Grok cannot reach the model service, or the service has trouble. Check the network, then try again.',
  },
];

const readingTools = ['read_file', 'list_dir', 'grep'];
const webTools = ['web_search', 'web_fetch'];
const writingTools = ['write', 'search_replace'];

function refuses(demand: Demand): string | undefined {
  const { access, unsandboxedConsent } = demand;
  if (access !== 'readOnly' && !unsandboxedConsent) return needsConsent(title, access);
  return refusedInput(demand);
}

/**
 * The output format is the Messages one: it names the session at once, holds each message whole and the answer by itself.
 * `streaming-json` names the session at the end, runs all texts together and repeats a command's output as byte arrays.
 * Whole messages come when their tools have ended; the partial ones in between say when a tool starts.
 *
 * Read-only is a list of the tools there are, because Grok's own sandbox did not stop a command (1.0.41); `search_tool`
 * and `use_tool` reach MCP servers and stay unless they are taken away by name. Without `--always-approve` the first tool
 * that wants approval ends the turn.
 */
function launch(request: RunRequest): Launch {
  const why = refuses(request);
  if (why !== undefined) throw new Error(why);
  const { access, model, effort, instructions, resume, web, scratch } = request;
  const promptFile = join(scratch, 'grok-prompt.txt');
  return {
    args: [
      ...['--prompt-file', promptFile, '--verbatim', '--always-approve'],
      ...['--output-format', 'streaming-messages-json', '--include-partial-messages'],
      ...(access === 'readOnly'
        ? [
            '--tools',
            [...readingTools, ...(web ? webTools : [])].join(','),
            '--disallowed-tools',
            'search_tool,use_tool',
          ]
        : []),
      ...(web ? [] : ['--disable-web-search']),
      ...(model === undefined ? [] : ['-m', model]),
      ...(effort === undefined ? [] : ['--effort', effort]),
      ...(instructions === undefined || resume ? [] : [`--rules=${instructions}`]),
      ...(resume ? ['-r', resume.id] : ['-s', request.newSessionId]),
    ],
    env: {
      GROK_DISABLE_AUTOUPDATER: '1',
      // A failing service is retried for ever and in silence otherwise; so it is given up after some 15 s.
      GROK_TURN_TRANSIENT_RETRY: '0',
      GROK_MAX_RETRIES: '4',
      // Keeps variables with KEY, SECRET or TOKEN in their name from the commands of the worker.
      GROK_CONFIG: JSON.stringify({ shell_environment_policy: { ignore_default_excludes: false } }),
      ...(web && { GROK_WEB_FETCH: '1' }),
    },
    files: [{ path: promptFile, text: resume ? promptWithInstructions(request) : request.prompt }],
  };
}

const errorSchema = z.object({ type: z.literal('error'), message: z.string() });

function conversation(request: RunRequest): Conversation {
  const readMessages = createMessagesReader({
    cwd: request.cwd,
    writes: (tool) => writingTools.includes(tool),
    created: (result) => typeof result === 'string' && result.includes(createdResult),
    failed: (result) => typeof result === 'string' && failedCommand.test(result),
  });
  return converse({
    title,
    failures,
    start: [{ kind: 'endInput' }],
    read(line) {
      const error = errorSchema.safeParse(line);
      if (error.success) return { events: [], outcome: failedTurn(failures, title, innerMessage(error.data.message)) };
      const reading = readMessages(line);
      return reading?.result ? { events: reading.events, outcome: outcomeOf(reading.result) } : reading;
    },
  });
}

/** The result of a command is JSON in a string, too; what the command printed stands in it with its quotes escaped. */
const failedCommand = /"exit_code":(?!0\b)-?\d/;

/** The result of an editing tool is JSON in a string; an empty `old_string` is how a file is created. */
const createdResult = '"EditsApplied":{"old_string":""';

function outcomeOf({ failed: isError, stopReason, text }: TurnResult): Outcome {
  if (stopReason === 'cancelled') {
    return {
      status: 'failed',
      reason: 'exited',
      message:
        'Grok ended the turn because a tool wanted an approval that nobody could give. Ask for a task it can do with its access, or give it more access.',
    };
  }
  return isError ? failedTurn(failures, title, innerMessage(text)) : { status: 'completed', text };
}

const innerSchema = z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]);

/** `Internal error: <JSON string or object>`, whose text is followed by a paragraph about model and version. */
function innerMessage(words: string): string {
  const json = /^Internal error: ([{"].*)$/s.exec(words)?.[1];
  let inner = words;
  try {
    if (json !== undefined) inner = innerSchema.parse(JSON.parse(json));
  } catch {
    // Not the JSON it looks like: the words as they are say enough.
  }
  return inner.split('\n\n')[0] ?? inner;
}

/** `text`: Grok Build says `grok 1.0.41 (…)` and calls itself so in its help. Others install a `grok` too. */
function identify(text: string): Identity {
  const version = /\bgrok (\d+\.\d+\.\d+\S*)/.exec(text)?.[1];
  if (version === undefined || !text.includes('Grok Build')) return { ok: false, why: "This is not xAI's Grok CLI." };
  if (text.includes('streaming-messages-json') && text.includes('--prompt-file')) return { ok: true, version };
  return { ok: false, why: `Grok ${version} is too old. Run \`grok update\`.` };
}

/** As in `@xai-official/grok` 1.0: its install script unpacks the binary beside the wrapper in `bin/`, or below GROK_HOME. */
function nativeBinaries(platform: NodeJS.Platform, arch: string): readonly string[] {
  const ending = platform === 'win32' ? '.exe' : '';
  const inPackage = `grok-${platform}-${arch}/bin/grok${ending}`;
  return [`grok-native${ending}`, `../../${inPackage}`, `../node_modules/@xai-official/${inPackage}`];
}

/** Top-level names of config.toml that start programs or tell the model something; providers and models stay. */
const steeringSettings = [
  ...['mcp_servers', 'hooks', 'skills', 'plugins', 'marketplaces', 'agents', 'subagents', 'personas', 'memory', 'lsp'],
  'rules',
];

/** By Grok Build 1.0.41; that list begins with who asks. */
const signIn: SignInQuestion = {
  args: ['models'],
  read(text) {
    if (/not authenticated/i.test(text)) return { state: 'signedOut' };
    const variable = /^You are (?:using|authenticated via) ([A-Z_]+)/m.exec(text)?.[1];
    if (variable !== undefined) return { state: 'signedIn', how: variable };
    if (/^Model .* is using its own API key/m.test(text)) return { state: 'signedIn', how: 'API key' };
    return /^You are (?:logged in|authenticated)/m.test(text) ? { state: 'signedIn' } : { state: 'unknown' };
  },
};

/** xAI's Grok Build, driven by one prompt file and its message stream. */
export const grok: Engine = {
  id: 'grok',
  title,
  binaries: ['grok'],
  installHint: 'Install it with `npm install -g @xai-official/grok`.',
  signInHint: 'Sign in with `grok login`.',
  signIn,
  environment: ['GROK_HOME', 'XAI_API_KEY'],
  state: {
    folders: [
      {
        path: '.grok',
        variable: 'GROK_HOME',
        hidden: [
          ...['AGENTS.md', 'settings.json', 'lsp.json', 'hooks-paths', 'mcp_credentials.json'],
          ...['hooks/', 'rules/', 'skills/', 'plugins/', 'agents/', 'personas/', 'commands/', 'workflows/'],
          ...['memory/', 'memory-v2/'],
        ],
        readOnly: [
          'bin',
          'bundled',
          'statusline.sh',
          'trusted_folders.toml',
          'managed_config.toml',
          'requirements.toml',
        ],
        copied: [{ path: 'config.toml', edit: (text) => tomlWithout(text, steeringSettings) }],
      },
    ],
    files: [],
  },
  ownSandbox: false,
  strayFolders: [],
  refuses,
  nativeBinaries,
  identify,
  launch,
  conversation,
};
