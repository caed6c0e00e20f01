import assert from 'node:assert/strict';
import type { Task } from '../../src/delegation/task.ts';
import { answering, refused, useToolBench } from '../support/toolBench.ts';

describe('web_lookup', () => {
  const bench = useToolBench();

  it('searches the web with the model for reading', async () => {
    const { client, delegation } = await bench.connect({
      answer: () => ({ sessionId: 'abc-123', text: 'Node 24 is it: https://nodejs.org/en/about' }),
    });
    const answer = await client.call('web_lookup', { query: 'Which Node is LTS?', model: 'm' });
    const { instructions, check, ...asked } = delegation.runs[0]?.asked as Task;
    assert.deepEqual(asked, {
      tool: 'web_lookup',
      prompt: 'Which Node is LTS?',
      access: 'readOnly',
      web: true,
      cwd: bench.workspace,
      choice: { by: 'tier', tier: { engine: 'codex', model: 'reader', effort: 'low' } },
      model: 'm',
    });
    assert.match(instructions ?? '', /full link/);
    assert.ok(check);
    assert.match(answer.text, /^Node 24 is it: https:\/\/nodejs\.org\/en\/about\n\nsession_id: /);
  });

  it('says so when the answer has no source', async () => {
    const { client } = await bench.connect(answering);
    assert.match(
      (await client.call('web_lookup', { query: 'x' })).text,
      /^Note: The answer names no source.*\n\nIt is/,
    );
  });

  it('needs a question', async () => {
    const { client, delegation } = await bench.connect(answering);
    refused(await client.call('web_lookup', { query: ' ' }), /query is empty/);
    refused(await client.call('web_lookup', {}), /query/);
    assert.equal(delegation.runs.length, 0);
  });
});
