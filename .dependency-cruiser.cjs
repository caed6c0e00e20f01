// The import table of ARCHITECTURE.md: which room may import which room and which library.
// A row that is not here does not exist, so a new room fails the check until it is given its row.
const rooms = {
  base: { rooms: [], libraries: ['env-paths'] },
  protocol: { rooms: [], libraries: ['zod'] },
  process: { rooms: ['base'], libraries: ['cross-spawn', 'which'] },
  git: { rooms: ['base', 'protocol', 'process'], libraries: [] },
  sandbox: { rooms: ['base', 'protocol', 'process'], libraries: [] },
  journal: { rooms: ['base', 'protocol'], libraries: ['zod'] },
  engines: { rooms: ['base', 'protocol'], libraries: ['zod'] },
  delegation: {
    rooms: ['base', 'protocol', 'engines', 'process', 'sandbox', 'journal', 'git'],
    libraries: ['p-queue', '@secretlint/core', '@secretlint/secretlint-rule-preset-recommend', 'yaml'],
  },
  mcp: { rooms: ['base', 'protocol', 'delegation', 'journal'], libraries: ['@modelcontextprotocol/sdk', 'zod'] },
  clients: { rooms: [], libraries: ['jsonc-parser', 'zod'] },
  requests: { rooms: ['base', 'protocol'], libraries: [] },
  cursor: { rooms: ['base', 'protocol', 'process'], libraries: ['sql.js', 'pbf', 'zod'] },
  keys: { rooms: ['base', 'protocol', 'process'], libraries: ['node-pty', '@xterm/headless'] },
  approvals: { rooms: ['base', 'protocol', 'requests', 'cursor', 'keys'], libraries: [] },
  vscode: {
    rooms: [
      ...['base', 'protocol', 'process', 'git', 'journal', 'engines', 'delegation', 'mcp'],
      ...['requests', 'cursor', 'keys', 'approvals', 'clients'],
    ],
    libraries: ['vscode'],
  },
};

/** Files of src/ that belong to no room, with what each may import. */
const roots = {
  'config.ts': { rooms: ['protocol'], libraries: ['zod'] },
  'mcpMain.ts': {
    rooms: ['base', 'protocol', 'process', 'git', 'engines', 'journal', 'delegation', 'mcp'],
    files: ['config.ts'],
    libraries: [],
  },
  'extension.ts': { rooms: Object.keys(rooms), files: ['config.ts'], libraries: ['vscode'] },
};

/** The Waiting view's own code runs in a browser: of src/ it shares what both sides say to each other. */
const webview = { rooms: ['protocol'], libraries: ['lit', '@vscode-elements/elements', '@vscode/codicons', 'zod'] };

const configReaders = ['vscode'];
const escape = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const rule = (name, from, allowed) => {
  const paths = [
    ...allowed.rooms.map((room) => `^src/${room}/`),
    ...(allowed.files ?? []).map((file) => `^src/${escape(file)}$`),
    ...allowed.libraries.map((library) => `^(node_modules/)?(@types/)?${escape(library)}(/|$)`),
  ];
  return {
    name: `imports-of-${name}`,
    severity: 'error',
    from: { path: from },
    to: { pathNot: paths.join('|') || '^$', dependencyTypesNot: ['core'] },
  };
};

module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, allowed]) =>
      rule(room, `^src/${room}/`, {
        ...allowed,
        rooms: [room, ...allowed.rooms],
        files: configReaders.includes(room) ? ['config.ts'] : [],
      }),
    ),
    ...Object.entries(roots).map(([file, allowed]) => rule(file, `^src/${escape(file)}$`, allowed)),
    {
      ...rule('webview-ui', '^webview-ui/', webview),
      to: { pathNot: [...rule('', '', webview).to.pathNot.split('|'), '^webview-ui/'].join('|') },
    },
    {
      name: 'every-file-has-a-room',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          ...Object.keys(rooms).map((r) => `^src/${r}/`),
          ...Object.keys(roots).map((f) => `^src/${escape(f)}$`),
        ],
      },
      to: {},
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'child-process-only-in-process',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/process/' },
      to: { path: '^(node:)?child_process$' },
    },
    { name: 'no-test-code-in-src', severity: 'error', from: { path: '^src/' }, to: { path: '^(test|bench|scripts)/' } },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts'] },
  },
};
