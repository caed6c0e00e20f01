import assert from 'node:assert/strict';
import { useToolBench } from '../support/toolBench.ts';

describe('the output of a run', () => {
  const bench = useToolBench();

  it('is offered as a resource of every run, and refused with the reason', async () => {
    const { client, delegation } = await bench.connect({});
    const { resourceTemplates } = await client.client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['sallyport://runs/{id}/output{?page}'],
    );
    assert.deepEqual((await client.client.listResources()).resources, []);
    const run = delegation.start({
      ...{ tool: 'x', prompt: 'x', access: 'readOnly', cwd: bench.workspace },
      choice: { by: 'level', level: 1 },
    });
    await assert.rejects(client.read(`sallyport://runs/${run.id}/output`), /has not ended yet/);
    delegation.runs[0]?.finish({ text: 'Short.' });
    await run.result;
    assert.equal(await client.read(`sallyport://runs/${run.id}/output`), 'Short.\n\n[Page 1 of 1. This is the last.]');
    await assert.rejects(client.read(`sallyport://runs/${run.id}/output?page=2`), /has 1 page; there is no page 2/);
    await assert.rejects(client.read('sallyport://runs/00000000-0000/output'), /No output of such a run is kept/);
    for (const uri of ['sallyport://runs/../../etc/output', 'sallyport://runs/x/y', 'file:///etc/passwd']) {
      await assert.rejects(client.read(uri), /There is no such resource/);
    }
  });

  it('names the pages of what it left out, which are the whole answer', async () => {
    const text = Array.from({ length: 9_000 }, (_, index) => `line ${index}\u202e`).join('\n');
    const { client, delegation } = await bench.connect({ answer: () => ({ text, sessionId: 'abc' }) });
    const answer = await client.call('delegate', { prompt: 'x' });
    const [, uri = '', last] =
      /characters left out: read the resource (\S+) \(pages 1 to (\d+)\), or ask/.exec(answer.text) ?? [];
    const pages: string[] = [];
    for (let next: string | undefined = uri; next !== undefined;) {
      const page: string = await client.read(next);
      assert.ok(page.length <= 20_000);
      next = /\. Next: (\S+)\]$/.exec(page)?.[1];
      pages.push(page.replace(/\n\n\[Page \d+ of \d+\. [^\]]+\]$/, ''));
    }
    assert.equal(pages.length, Number(last));
    assert.equal(pages.join('\n'), text.replaceAll('\u202e', '\\u{202e}'));
    assert.equal(delegation.returned.length, 1 + pages.length);
  });
});
