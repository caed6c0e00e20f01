import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '../../src/delegation/task.ts';
import type { FakeOptions } from '../support/fakes/delegation.ts';
import { sampleImages } from '../support/sampleImages.ts';
import { answering, refused, useToolBench } from '../support/toolBench.ts';

const { png, jpeg } = sampleImages;

describe('generate_image', () => {
  const bench = useToolBench();
  /** A worker that leaves `content` at `path` of the workspace. */
  const painting = (path: string, content: string | Uint8Array): FakeOptions => ({
    answer: () => {
      bench.write(path, content);
      return { sessionId: 'abc-123', text: 'A red\nsquare, of which I tell a lot.' };
    },
  });
  const call = { description: 'A red square.', out_path: 'logo.png' };
  afterEach(() => rmSync(join(bench.workspace, 'logo.png'), { force: true }));

  it('asks for one picture, and tells its path, size and dimensions alone', async () => {
    const { client, delegation } = await bench.connect(painting('logo.png', png));
    const answer = await client.call('generate_image', call);
    assert.equal(
      answer.text,
      `logo.png: PNG, 7 x 5 pixels, ${png.length} bytes. It can be read to its end.\n\nsession_id: codex:abc-123\nTo ask this worker more: follow_up(session_id, question).`,
    );
    const { instructions, check, ...asked } = delegation.runs[0]?.asked as Task;
    assert.deepEqual(asked, {
      tool: 'generate_image',
      prompt: 'A red square.\n\nPut it at this path in the current folder: logo.png',
      access: 'workspaceWrite',
      cwd: bench.workspace,
      choice: { by: 'engine', engine: 'codex' },
    });
    assert.match(instructions ?? '', /write no file: do not draw it by code/);
    assert.ok(check);
  });

  it('hands over pictures to work from, and takes the engine that was named', async () => {
    bench.write('src/from.jpg', jpeg);
    const { client, delegation } = await bench.connect(painting('src/made.png', png));
    const out = join(bench.root, 'alias', 'src', 'made.png');
    const answer = await client.call('generate_image', {
      ...call,
      out_path: out,
      input_images: ['src/from.jpg'],
      engine: 'grok',
    });
    assert.match(answer.text, /^src\/made\.png: PNG/);
    const { prompt, choice } = delegation.runs[0]?.asked as Task;
    assert.deepEqual(choice, { by: 'engine', engine: 'grok' });
    assert.ok(prompt.includes(`\n- ${join(bench.workspace, 'src/from.jpg')}\n`), prompt);
    assert.ok(prompt.endsWith(': src/made.png'), prompt);
  });

  it('says when the file is of another format than its name', async () => {
    const { client } = await bench.connect(painting('logo.png', jpeg));
    const answer = await client.call('generate_image', call);
    assert.match(answer.text, /^Note: It is a JPEG file, though its name ends like a PNG\.\n\nlogo\.png: JPEG, 7 x 5/);
  });

  it('fails, with what the worker said, where there is no picture that can be read', async () => {
    for (const [path, content, why] of [
      ['other.png', png, /There is no picture at logo\.png\. Try the other engine\. The worker said: A red square, of/],
      ['logo.png', png.subarray(0, -9), /What lies at logo\.png is no PNG, JPEG or WebP that can be read\. Remove it/],
      ['logo.png', '<svg/>', /no PNG, JPEG or WebP/],
    ] as const) {
      const { client } = await bench.connect(painting(path, content));
      refused(await client.call('generate_image', call), why);
      rmSync(join(bench.workspace, 'logo.png'), { force: true });
    }
    for (const make of [
      (path: string) => symlinkSync(join(bench.root, 'secret.txt'), path),
      (path: string) => mkdirSync(path),
    ]) {
      const { client } = await bench.connect({
        answer: () => {
          rmSync(join(bench.workspace, 'logo.png'), { force: true });
          make(join(bench.workspace, 'logo.png'));
          return { text: 'Made.' };
        },
      });
      refused(await client.call('generate_image', call), /There is no picture at logo\.png/);
      rmSync(join(bench.workspace, 'logo.png'), { recursive: true });
    }
  });

  it('starts nobody for a path outside the folder, one that is taken, or no picture', async () => {
    mkdirSync(join(bench.workspace, '.git'));
    bench.write('there.png', png);
    symlinkSync('/nowhere', join(bench.workspace, 'dangling.png'));
    const { client, delegation } = await bench.connect(answering);
    for (const [out_path, why] of [
      ['../out.png', /outside/],
      ['/tmp/out.png', /outside/],
      ['up/out.png', /outside/],
      ['.', /outside/],
      ['', /outside/],
      ['none/out.png', /does not exist/],
      ['there.png', /is there already/],
      ['dangling.png', /is there already/],
      ['leak.txt', /is there already/],
      ['.git/out.png', /git's own folder/],
      ['a\nb.png', /hidden or control/],
      ['a\0.png', /hidden or control/],
      ['a\u202Egnp.png', /hidden or control/],
      ['out.svg', /must end in \.png/],
      ['out', /must end in/],
    ] as const) {
      refused(await client.call('generate_image', { ...call, out_path }), why);
    }
    for (const [input_images, why] of [
      [['leak.txt'], /input_images: "leak\.txt" lies outside/],
      [['none.png'], /does not exist/],
      [['src/a.ts'], /is no PNG/],
      [['src'], /is no PNG/],
      [Array<string>(9).fill('there.png'), /input_images/],
    ] as const) {
      refused(await client.call('generate_image', { ...call, input_images }), why);
    }
    refused(await client.call('generate_image', { ...call, engine: 'claude' }), /engine/);
    refused(await client.call('generate_image', { ...call, description: ' ' }), /empty/);
    assert.equal(delegation.runs.length, 0);
  });
});
