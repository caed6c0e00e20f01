import assert from 'node:assert/strict';
import { Bench } from '../support/bench/bench.ts';
import { serverFor } from '../support/bench/mcpServer.ts';
import { McpTestClient } from '../support/mcpClient.ts';

const file = '---\nname: digger\ndescription: Never told.\nmodel: opus\n---\nYou are the digger, and you dig.\n';

describe('a persona', function () {
  this.timeout(60_000);

  /** Where a CLI puts what came by its own channel for instructions, in the request it sends its model. */
  const channel = {
    codex: /"role":"developer"[^{}]*\{[^{}]*You are the digger/,
    claude: /"system":\[.*You are the digger/,
    grok: /"role":"(?:system|developer|user)".*You are the digger/,
  };

  for (const engine of ['codex', 'claude', 'grok'] as const) {
    it(`reaches real ${engine} by its own channel, without its front matter, and with the style`, () =>
      Bench.with([engine], async (bench) => {
        await bench.write('.claude/agents/digger.md', file);
        const client = await McpTestClient.connect(serverFor(bench));
        try {
          const prompt = '[[scenario: answer]] Dig.';
          const { text, isError } = await client.call('delegate', { prompt, agent: 'digger' });
          assert.equal(isError, false, text);
          const body = JSON.stringify(bench.lastRequest().body);
          assert.match(body, channel[engine]);
          assert.ok(body.includes('Be terse in everything you write'));
          // Claude tells its model by itself which agents the project has.
          assert.doesNotMatch(body, /Never told.{0,80}You are the digger/s);
          assert.ok(!bench.lastRequest().prompt.includes('You are the digger'), 'not in the prompt');
          const asked = bench.server.requests.length;
          const missing = await client.call('delegate', { prompt, agent: '../digger' });
          assert.deepEqual([missing.isError, bench.server.requests.length], [true, asked]);
        } finally {
          await client.close();
        }
      }));
  }
});
