import { depthVariable, runVariable } from './marker.ts';

/** How to build a worker's environment. Names with a trailing `*` are prefixes. */
export interface EnvironmentRequest {
  /** Where allowed variables are taken from: the environment of this process. */
  from: NodeJS.ProcessEnv;
  /** What the engine needs beyond the common list. */
  allow: readonly string[];
  /** Set by the engine's launch; wins over `from`. */
  set: Readonly<Record<string, string>>;
  /** The person's real PATH. */
  path: string;
  runId: string;
  /** 1 for a worker that a person's own window or client started. */
  depth: number;
  platform?: NodeJS.Platform;
}

/** What any command-line program may need to find its folders, its language, and its way through a proxy. */
const commonNames = [
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_*', 'TERM', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'XDG_*'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
];

const windowsNames = [
  ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'OS', 'PROCESSOR_*', 'NUMBER_OF_PROCESSORS'],
  ...['USERPROFILE', 'USERNAME', 'USERDOMAIN', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA'],
  ...['ProgramData', 'ProgramFiles*', 'ProgramW6432', 'CommonProgram*', 'ALLUSERSPROFILE', 'PUBLIC'],
];

/** Would turn a worker's Node into the editor's, or let the editor's own state into it. No list can allow them. */
const forbiddenNames = ['ELECTRON_*', 'VSCODE_*', 'NODE_OPTIONS', 'SALLYPORT_*'];

/**
 * The whole environment of a worker: the allow-listed part of ours, what the engine sets, the person's PATH, and our
 * marker and depth. Names are compared without case on Windows, where variables have none.
 */
export function workerEnvironment(request: EnvironmentRequest): Record<string, string> {
  const windows = (request.platform ?? process.platform) === 'win32';
  const allowed = nameTest([...commonNames, ...(windows ? windowsNames : []), ...request.allow], windows);
  const forbidden = nameTest([...forbiddenNames, 'PATH'], windows);
  const given = Object.entries(request.from).filter(([name]) => allowed(name));
  const kept = [...given, ...Object.entries(request.set)].filter(([name]) => !forbidden(name));
  const environment: Record<string, string> = {};
  const spellings = new Map<string, string>();
  for (const [name, value] of kept) {
    if (value === undefined) continue;
    const key = windows ? name.toUpperCase() : name;
    const spelling = spellings.get(key) ?? name;
    spellings.set(key, spelling);
    environment[spelling] = value;
  }
  return { ...environment, PATH: request.path, [runVariable]: request.runId, [depthVariable]: String(request.depth) };
}

function nameTest(patterns: readonly string[], ignoreCase: boolean): (name: string) => boolean {
  const fold = (text: string) => (ignoreCase ? text.toUpperCase() : text);
  const prefixes = patterns.filter((name) => name.endsWith('*')).map((name) => fold(name.slice(0, -1)));
  const names = new Set(patterns.map(fold));
  return (name) => names.has(fold(name)) || prefixes.some((prefix) => fold(name).startsWith(prefix));
}
