import assert from 'node:assert/strict';
import { Bench } from '../support/bench/bench.ts';
import { source } from '../support/bench/wiring.ts';
import { hello, message } from '../mcp/child.ts';

/** A worker's command that asks a standalone server to delegate further, under an environment of its making. */
function delegating(environment: string): string {
  const session = hello + message('tools/call', { name: 'delegate', arguments: { prompt: 'again', cwd: '/' } }, 2);
  const server = `${environment} '${process.execPath}' '${source('mcpMain.ts')}'`;
  // The input stays open until the server has answered, because its end is the client's leaving.
  return `(cat <<'END'\n${session}END\nsleep 5) | SALLYPORT_STATE_DIR="$PWD" ${server} | sed -n '/"id":2/{p;q;}'`;
}

describe('a worker that wants to delegate further', function () {
  this.timeout(60_000);

  for (const access of ['workspaceWrite', 'full'] as const) {
    for (const [how, environment] of [
      ['as it is', 'env'],
      ['with the variable taken away', 'env -u SALLYPORT_DEPTH'],
      ['with an empty environment', 'env -i'],
    ] as const) {
      it(`is told to do the work itself, ${how} (${access})`, () =>
        Bench.with(
          ['codex'],
          async (bench) => {
            const { status, text } = await bench.run('[[scenario: recursion]] Delegate.', { access });
            assert.equal(status, 'completed', text);
            assert.match(text, /You are a worker of Sallyport already/);
          },
          {
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
