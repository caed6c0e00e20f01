import assert from 'node:assert/strict';
import { createChat } from '../../../../src/cursor/session/newChat.ts';
import type { Captured, Command } from '../../../../src/process/capture.ts';

const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
const nothing: Captured = {
  ...{ code: 0, signal: null, stdout: Buffer.alloc(0), stderr: '' },
  ...{ timedOut: false, truncated: false, startFailed: false },
};

async function make(captured: Partial<Omit<Captured, 'stdout'>> & { stdout?: string }) {
  const commands: Command[] = [];
  const request = { binary: '/bin/cursor-agent', cwd: '/work', env: { A: 'b' }, signal: new AbortController().signal };
  const made = await createChat(request, (command) => {
    commands.push(command);
    return Promise.resolve({ ...nothing, ...captured, stdout: Buffer.from(captured.stdout ?? '') });
  });
  assert.deepEqual(
    commands.map(({ file, args, cwd }) => [file, args, cwd]),
    [['/bin/cursor-agent', ['create-chat'], '/work']],
  );
  return made;
}

describe('createChat', () => {
  it('takes the id that is printed', async () => {
    assert.deepEqual(await make({ stdout: `${id}\n` }), { ok: true, chatId: id });
    assert.deepEqual(await make({ stdout: `Created chat ${id.toUpperCase()}.\r\n` }), { ok: true, chatId: id });
  });

  it('takes nothing else for an id', async () => {
    for (const stdout of ['', '--force\n', 'chat-1\n', `${id}\n${id.replace('0', '1')}\n`, `${id}0\n`]) {
      assert.equal((await make({ stdout })).ok, false, stdout);
    }
    assert.equal((await make({ stdout: `${id}\n`, code: 1 })).ok, false);
  });

  it('says what the agent said, and what to do', async () => {
    const made = await make({ code: 1, stderr: 'Error: something\nNot logged in\n' });
    assert.ok(!made.ok && made.why.includes('it says: Not logged in') && made.why.includes('`cursor-agent'));
    const late = await make({ code: null, timedOut: true });
    assert.ok(!late.ok && late.why.includes('30 seconds'));
    const missing = await make({ code: null, startFailed: true, stderr: 'no such file' });
    assert.ok(!missing.ok && missing.why.includes('no such file'));
  });
});
