import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { Bench, sandboxed, unsandboxed } from '../support/bench/bench.ts';
import { source } from '../support/bench/wiring.ts';
import { hello, message } from '../mcp/child.ts';

const session = hello + message('tools/call', { name: 'delegate', arguments: { prompt: 'again' } }, 2);

/** A worker's command that asks a standalone server to delegate further, and leaves it when it has answered. */
function delegating(environment: string): string {
  const server = `${environment} '${process.execPath}' '${source('mcpMain.ts')}'`;
  return [
    'mkfifo input && touch output',
    `${server} < input > output 2>&1 &`,
    `exec 3> input && cat >&3 <<'END'\n${session}END`,
    `until grep '"id":2' output; do sleep 0.05; done`,
    'exec 3>&-; wait',
  ].join('\n');
}

describe('a worker that wants to delegate further', function () {
  this.timeout(60_000);

  // The server is this source here, which no sandbox shows.
  const withSource = { ...sandboxed, extraPaths: { [resolve(import.meta.dirname, '../..')]: 'readOnly' as const } };

  for (const sandbox of [withSource, unsandboxed]) {
    for (const [how, environment] of [
      ['as it is', 'env'],
      ['with an empty environment', 'env -i'],
    ] as const) {
      it(`is told to do the work itself, ${how} (sandbox ${sandbox.mode})`, () =>
        Bench.with(
          ['codex'],
          async (bench) => {
            const { status, text } = await bench.run('[[scenario: recursion]] Delegate.');
            assert.equal(status, 'completed', text);
            assert.match(text, /You are a worker of Sallyport already/);
          },
          {
            settings: { sandbox },
            scenarios: {
              recursion: {
                about: 'delegates further',
                steps: [
                  { call: { kind: 'shell', command: delegating(environment) } },
                  { say: 'What came back: {{lastToolOutput}}' },
                ],
              },
            },
          },
        ));
    }
  }
});
