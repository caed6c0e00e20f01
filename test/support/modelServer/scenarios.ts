import type { Scenario } from './scenario.ts';

/** A process in its own session that ignores TERM, INT and HUP and writes its pid to `grandchild.pid`. */
const stubbornLoop = `trap "" TERM INT HUP; echo $$ > grandchild.pid; while :; do sleep 1; done`;
const detachedLoop = `setsid sh -c '${stubbornLoop}' > /dev/null 2>&1 < /dev/null &`;

/**
 * Strings with the shape of well-known credentials. They are assembled here so that no scanner of this repository takes
 * them for leaked ones.
 */
export const fakeSecrets = {
  aws: ['AKIA', 'Q7ZD3XVJ5WNB2YKT'].join(''),
  awsSecret: ['wJ4k9TzQ', '2mVx7LpR', 'c8NfYb1H', 'dG6sKe3U', 'oA5iWq0Z'].join(''),
  github: ['ghp', 'R4tY8uI2oP6aS1dF5gH9jK3lZ7xC0vB4nM2q'].join('_'),
  openai: ['sk', 'proj', 'Zk3mV9qTfR2xLw7yBn4cHs8dJe1aGu6pKo5iYt0bNv3rXz'].join('-'),
} as const;

const workingScenarios = {
  answer: { about: 'answers at once', steps: [{ say: 'The answer is forty-two.' }] },
  think: {
    about: 'reasons, then answers',
    steps: [{ think: 'Weighing the options.', say: 'Thought it through: yes.' }],
  },
  edit: {
    about: 'writes note.txt by shell',
    steps: [
      {
        say: 'I will write the note now.',
        call: { kind: 'shell', command: "printf 'a note\\n' > note.txt && cat note.txt" },
      },
      { say: 'Done: note.txt:1 holds the note.' },
    ],
  },
  fileChange: {
    about: 'writes patched.txt by the file tool of the client',
    steps: [
      { call: { kind: 'write', path: 'patched.txt', content: 'first line\nsecond line\n' } },
      { say: 'Done: patched.txt has two lines.' },
    ],
  },
  failingCommand: {
    about: 'runs a command that exits with 3',
    steps: [
      { call: { kind: 'shell', command: 'echo "no such target" >&2; exit 3' } },
      { say: 'The command failed with exit code 3.' },
    ],
  },
  writeAttempt: {
    about: 'tries to write breach.txt, first by shell, then by the file tool, as a read-only run must not be able to',
    steps: [
      { call: { kind: 'shell', command: 'echo breached > breach.txt' } },
      { call: { kind: 'write', path: 'breach.txt', content: 'breached\n' } },
      { say: 'I tried to write breach.txt twice.' },
    ],
  },
  explore: {
    about: 'reads by shell and concludes with file and line',
    steps: [
      { call: { kind: 'shell', command: "grep -rn 'export' --include='*.js' ." } },
      { say: 'The greeting is built in src/greeting.js:2; nothing else exports it.' },
    ],
  },
  readFile: {
    about: 'reads src/greeting.js by the reading tool of the client',
    steps: [{ call: { kind: 'read', path: 'src/greeting.js' } }, { say: 'Read src/greeting.js:1.' }],
  },
  remember: {
    about: 'tells how many user turns this conversation holds',
    steps: [{ say: 'I have seen {{userTurns}} user turn(s).' }],
  },
  grandchild: {
    about: 'starts a detached process that ignores TERM, then runs for five minutes in the foreground',
    steps: [{ call: { kind: 'shell', command: `${detachedLoop}\necho started; sleep 300` } }, { say: 'Slept.' }],
  },
  stubborn: {
    about: 'runs in the foreground, in its own session, a command that ignores TERM',
    steps: [{ call: { kind: 'shell', command: `setsid --wait sh -c '${stubbornLoop}'` } }, { say: 'It ended.' }],
  },
  orphan: {
    about: 'leaves a detached process that ignores TERM behind and finishes the turn',
    steps: [
      { call: { kind: 'shell', command: `${detachedLoop}\nsleep 0.2; echo left one behind` } },
      { say: 'The server is running in the background.' },
    ],
  },
  background: {
    about: 'runs a command as a background task of the client and finishes the turn',
    steps: [
      { call: { kind: 'shell', command: 'echo $$ > background.pid; sleep 300', background: true } },
      { say: 'The task goes on in the background.' },
    ],
  },
  sleep: {
    about: 'runs a command for two seconds',
    steps: [{ call: { kind: 'shell', command: 'sleep 2; echo woke' } }, { say: 'Woke up after two seconds.' }],
  },
  whenTold: {
    about: 'makes the file `waiting`, and goes on when there is a file `go`',
    steps: [
      { call: { kind: 'shell', command: 'touch waiting; until [ -e go ]; do sleep 0.1; done; echo told' } },
      { say: 'I was told to go on.' },
    ],
  },
  bigOutput: {
    about: 'a command prints about 2.5 MB',
    steps: [{ call: { kind: 'shell', command: 'seq 1 400000' } }, { say: 'The listing ends at 400000.' }],
  },
  bigText: {
    about: 'an answer of 2 MB in 20,000 lines',
    steps: [{ say: { repeat: `${'long answer '.repeat(9).slice(0, 99)}\n`, times: 20_000 } }],
  },
  longText: {
    about: 'an answer of 4,000 characters in 40 lines',
    steps: [{ say: { repeat: `${'long answer '.repeat(9).slice(0, 99)}\n`, times: 40 } }],
  },
  secrets: {
    about: 'an answer that quotes credentials of four kinds',
    steps: [
      {
        say: [
          'The configuration holds:',
          `AWS_ACCESS_KEY_ID=${fakeSecrets.aws}`,
          `AWS_SECRET_ACCESS_KEY=${fakeSecrets.awsSecret}`,
          `GITHUB_TOKEN=${fakeSecrets.github}`,
          `OPENAI_API_KEY=${fakeSecrets.openai}`,
        ].join('\n'),
      },
    ],
  },
  envDump: {
    about: 'answers with the names of the variables that reach the tool process',
    steps: [
      { call: { kind: 'shell', command: "env | cut -d= -f1 | sort | tr '\\n' ' '" } },
      { say: 'Environment of the tool: {{lastToolOutput}}' },
    ],
  },
  ask: {
    about: 'asks the person a question through the tool of the client',
    steps: [
      { call: { kind: 'ask', question: 'Which colour?', options: ['red', 'blue'] } },
      { say: 'What came back: {{lastToolOutput}}' },
    ],
  },
  ansi: {
    about: 'an answer with terminal escapes and bidi controls',
    steps: [{ say: 'Safe \u001b[31mred\u001b[0m \u001b]0;title\u0007 and \u202etxt.exe\u202c end.' }],
  },
  echo: { about: 'answers with the prompt it was given', steps: [{ say: '{{prompt}}' }] },
  loop: {
    about: 'runs one short command after the other, a thousand times',
    steps: [
      { call: { kind: 'shell', command: 'echo round 0' } },
      ...Array.from({ length: 999 }, (_, round) => ({
        call: { kind: 'shell' as const, command: `echo round ${round + 1}` },
      })),
      { say: 'A thousand rounds.' },
    ],
  },
  reshape: {
    about: 'changes, adds, deletes and renames files by shell',
    steps: [
      {
        call: {
          kind: 'shell',
          command:
            "{ echo '// by the agent'; cat src/greeting.js; } > new.js && mv new.js src/greeting.js && echo added > added.txt && rm src/main.js && mv README.md READ.md && printf 'a\\000b' > data.bin",
        },
      },
      { say: 'Done: see src/greeting.js:3 and `added.txt:1`; nothing/is-here.js:9 is left.' },
    ],
  },
  demo: {
    about: 'finds and repairs the bug of the sample workspace, runs its tests, concludes with file and line',
    steps: [
      {
        think: 'The greeting is wrong for an empty name; look at the code first.',
        say: 'I will look at src/greeting.js, repair it and run the tests.',
        call: { kind: 'shell', command: 'cat src/greeting.js' },
      },
      {
        say: 'The name is never trimmed or given a default. I repair that line.',
        call: {
          kind: 'replace',
          path: 'src/greeting.js',
          before: '  return `Hello, ${name}!`;',
          after: "  return `Hello, ${name?.trim() || 'stranger'}!`;",
        },
      },
      { say: 'Now the tests.', call: { kind: 'shell', command: 'node --test' } },
      {
        say: 'Fixed in src/greeting.js:3. An empty or missing name now greets a stranger; before, it printed "Hello, !" or "Hello, undefined!". `node --test` passes.',
      },
    ],
  },
} as const satisfies Record<string, Scenario>;

const brokenScenarios = {
  stall: { about: 'starts an answer and never goes on', steps: [{ say: 'This is where it stops', breaks: 'stall' }] },
  cut: {
    about: 'closes the connection in the middle of an answer',
    steps: [{ say: 'This is where it ends', breaks: 'cut' }],
  },
  hang: { about: 'accepts the request and never answers', silent: true },
  http400: { about: 'refuses the request as malformed', failure: 'badRequest' },
  http401: { about: 'refuses the key', failure: 'unauthorized' },
  http403: { about: 'refuses the account', failure: 'forbidden' },
  http404: { about: 'does not know the model', failure: 'unknownModel' },
  http429: { about: 'asks to slow down', failure: 'rateLimited' },
  usageLimit: { about: 'says that the plan is used up', failure: 'usageLimit' },
  quota: { about: 'says that the quota is used up', failure: 'quota' },
  http500: { about: 'fails', failure: 'serverError' },
  http529: { about: 'is overloaded', failure: 'overloaded' },
} as const satisfies Record<string, Scenario>;

/** Name of a built-in scenario. */
export type ScenarioName = keyof typeof workingScenarios | keyof typeof brokenScenarios;

/** The built-in scenarios; `{ about }` says what each is for. */
export const builtInScenarios: Readonly<Record<ScenarioName, Scenario>> = { ...workingScenarios, ...brokenScenarios };
