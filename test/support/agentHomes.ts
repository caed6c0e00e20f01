import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The CLIs that can be pointed at the model server. Cursor's has no setting for it. */
export type LoopbackEngine = 'codex' | 'claude' | 'grok';

/**
 * A throw-away home of one CLI that knows the model server and no real account. HOME moves too, because the CLIs start login
 * shells, and what the person's profile does there (or waits for) is none of a test's business.
 */
export interface AgentHome {
  readonly folder: string;
  /** Its HOME. */
  readonly userHome: string;
  /** Variables to add to the CLI's environment; they hold no real credential. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes both. */
  dispose(): Promise<void>;
}

/** How a home differs from the usual one. */
export interface AgentHomeOptions {
  /** Scenario of every request of this home that names none itself. */
  readonly scenario?: string;
  /**
   * How often the CLI repeats a failed request; left out: never for Codex and Grok, once for Claude, so that failures show
   * at once.
   */
  readonly retries?: number;
}

/** The value every key variable of a test home has; it looks like nothing that a scanner knows. */
const dummyKey = 'dummy-key-of-the-tests';

/**
 * Makes a home for `engine` whose requests go to `modelServerUrl`. It lies below the person's cache folder, because Codex
 * complains about a CODEX_HOME below the temporary folder. The caller disposes of it.
 */
export async function createAgentHome(
  engine: LoopbackEngine,
  modelServerUrl: string,
  options: AgentHomeOptions = {},
): Promise<AgentHome> {
  const parent = join(homedir(), '.cache', 'sallyport-test-homes');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, `${engine}-`));
  const base = options.scenario === undefined ? modelServerUrl : `${modelServerUrl}/s/${options.scenario}`;
  const { config, env } = homeOf[engine](folder, base, options);
  if (config !== undefined) await writeFile(join(folder, 'config.toml'), config);
  // Beside it: a sandbox takes a CLI's own folder for no such thing when it holds the home.
  const userHome = `${folder}-user`;
  await mkdir(userHome);
  return {
    folder,
    env: { HOME: userHome, ...env },
    userHome,
    dispose: async () => {
      for (const each of [folder, userHome]) {
        await rm(each, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      }
    },
  };
}

interface HomeContent {
  readonly config?: string;
  readonly env: Record<string, string>;
}

type HomeOf = (folder: string, base: string, options: AgentHomeOptions) => HomeContent;

/** Codex: a provider of its own. Without `analytics.enabled = false` the process stays five seconds after the answer. */
const codexHome: HomeOf = (folder, base, { retries = 0 }) => ({
  config: [
    'model_provider = "loopback"',
    'model = "loopback"',
    '[analytics]',
    'enabled = false',
    '[model_providers.loopback]',
    'name = "loopback"',
    `base_url = ${JSON.stringify(`${base}/v1`)}`,
    'wire_api = "responses"',
    'env_key = "LOOPBACK_API_KEY"',
    `request_max_retries = ${retries}`,
    `stream_max_retries = ${retries}`,
    '',
  ].join('\n'),
  env: { CODEX_HOME: folder, LOOPBACK_API_KEY: dummyKey },
});

/** IS_SANDBOX=1 is what lets Claude skip permissions as root, as in a container. */
const claudeHome: HomeOf = (folder, base, { retries = 1 }) => ({
  env: {
    CLAUDE_CONFIG_DIR: folder,
    ANTHROPIC_BASE_URL: base,
    ANTHROPIC_API_KEY: dummyKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: String(retries),
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
  },
});

/**
 * Grok repeats a failed turn for ever on top of the retries of its requests; GROK_TURN_TRANSIENT_RETRY=0 stops that. It knows
 * only the models its configuration names, so each name a test passes by `-m` stands in it.
 */
const grokModels = ['mock', 'grok-4.5', 'grok-4.6', 'grok-code-fast-1'];

const grokHome: HomeOf = (folder, base, { retries = 0 }) => ({
  config: [
    '[models]',
    'default = "mock"',
    `max_retries = ${retries}`,
    ...grokModels.flatMap((model) => [
      `[model.${JSON.stringify(model)}]`,
      `name = ${JSON.stringify(model)}`,
      `model = ${JSON.stringify(model)}`,
      `base_url = ${JSON.stringify(`${base}/v1`)}`,
      'env_key = "LOOPBACK_API_KEY"',
      'context_window = 200000',
    ]),
    '',
  ].join('\n'),
  env: {
    GROK_HOME: folder,
    LOOPBACK_API_KEY: dummyKey,
    GROK_DISABLE_AUTOUPDATER: '1',
    ...(retries === 0 ? { GROK_TURN_TRANSIENT_RETRY: '0' } : {}),
  },
});

const homeOf: Readonly<Record<LoopbackEngine, HomeOf>> = { codex: codexHome, claude: claudeHome, grok: grokHome };
