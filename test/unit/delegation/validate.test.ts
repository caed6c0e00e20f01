import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from '../../../src/delegation/task.ts';
import { maxPromptChars, problemOf } from '../../../src/delegation/validate.ts';

describe('a task', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-validate-'));
    await writeFile(join(folder, 'file'), '');
    await mkdir(join(folder, '.git', 'hooks'), { recursive: true });
    await symlink(join(folder, '.git', 'hooks'), join(folder, 'link'));
  });
  after(() => rm(folder, { recursive: true }));

  const task = (over: Partial<Task>): Task => ({
    tool: 'test',
    prompt: 'do it',
    access: 'readOnly',
    cwd: folder,
    choice: { by: 'level', level: 1 },
    ...over,
  });

  it('is fine when nothing is wrong with it, hostile prompts included', async () => {
    for (const prompt of ['do it', '--help', '$(touch x); `y`\n"', 'x'.repeat(maxPromptChars)]) {
      assert.equal(
        await problemOf(task({ prompt, model: 'anthropic/claude-opus@4[1m]', effort: 'x-high' }), 1_800_000),
        undefined,
      );
    }
  });

  it('may read in git’s own folder', async () => {
    assert.equal(await problemOf(task({ cwd: join(folder, '.git') }), 1_800_000), undefined);
  });

  const wrong: [string, () => Partial<Task>, RegExp][] = [
    ['an empty prompt', () => ({ prompt: '' }), /empty/],
    ['a prompt of blanks', () => ({ prompt: ' \n\t' }), /empty/],
    ['a prompt past the limit', () => ({ prompt: 'x'.repeat(maxPromptChars + 1) }), /1000001 characters/],
    ['a NUL in the prompt', () => ({ prompt: 'a\0b' }), /NUL/],
    ['a model that looks like a flag', () => ({ model: '--dangerous' }), /no valid model/],
    ['a model with a blank', () => ({ model: 'a b' }), /no valid model/],
    ['an empty effort', () => ({ effort: '' }), /no valid effort/],
    ['a time limit of nothing', () => ({ timeoutMs: 0 }), /between/],
    ['a time limit that is no number', () => ({ timeoutMs: Number.NaN }), /between/],
    ['a time limit past the person’s own', () => ({ timeoutMs: 1_800_001 }), /maxRunMinutes/],
    ['a relative folder', () => ({ cwd: 'src' }), /absolute/],
    ['a missing folder', () => ({ cwd: join(folder, 'gone') }), /does not exist/],
    ['writing in git’s own folder', () => ({ access: 'workspaceWrite', cwd: join(folder, '.git') }), /git's own/],
    ['a link into it', () => ({ access: 'full', cwd: join(folder, 'link') }), /git's own/],
    ['a file for a folder', () => ({ cwd: join(folder, 'file') }), /is a file/],
  ];
  for (const [what, over, says] of wrong) {
    it(`is refused for ${what}`, async () => {
      const problem = await problemOf(task(over()), 1_800_000);
      assert.equal(problem?.reason, 'badRequest');
      assert.match(problem.message, says);
    });
  }
});
