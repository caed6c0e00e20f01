import assert from 'node:assert/strict';
import { bubblewrapArguments, type Plan } from '../../../src/sandbox/bubblewrap.ts';

const plan = (over: Partial<Plan> = {}): Plan => ({ mounts: [], cwd: '/w', isRoot: false, ...over });

/** The arguments from `--tmpfs /tmp` on, which are about mounts, in groups that begin with their flag. */
function mountsOf(args: readonly string[]): string[] {
  const groups: string[][] = [];
  for (const arg of args.slice(0, args.indexOf('--'))) {
    if (arg.startsWith('--')) groups.push([arg]);
    else groups.at(-1)?.push(arg);
  }
  return groups.map((group) => group.join(' '));
}

describe('the arguments of bubblewrap', () => {
  it('tie processes to the worker, and the worker to its parent, and leave the network', () => {
    const args = bubblewrapArguments(plan(), '/bin/x', []);
    for (const flag of ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--die-with-parent']) {
      assert.ok(args.includes(flag), flag);
    }
    assert.ok(!args.includes('--unshare-net') && !args.includes('--unshare-all'));
  });

  it('take every capability, also from root', () => {
    const dropped = (isRoot: boolean) => mountsOf(bubblewrapArguments(plan({ isRoot }), '/bin/x', []));
    assert.ok(dropped(false).includes('--cap-drop ALL'));
    assert.deepEqual(
      dropped(true).filter((group) => group.startsWith('--cap')),
      ['--cap-drop ALL', '--cap-add CAP_SETFCAP'],
    );
  });

  it('mount what lies deeper later, whatever it is, and of one path what came last', () => {
    const args = bubblewrapArguments(
      plan({
        mounts: [
          { kind: 'readOnly', path: '/home/me/.codex/AGENTS.md', from: '/s/empty' },
          { kind: 'readWrite', path: '/home/me/.codex' },
          { kind: 'readOnly', path: '/home/me/w' },
          { kind: 'readWrite', path: '/home/me/w' },
          { kind: 'empty', path: '/home/me' },
          { kind: 'readOnlyIfThere', path: '/usr' },
        ],
      }),
      '/bin/x',
      [],
    );
    assert.deepEqual(
      mountsOf(args).filter((group) => /^--(tmpfs|bind|ro-bind)/.test(group)),
      [
        '--tmpfs /tmp',
        '--tmpfs /run',
        '--ro-bind-try /usr /usr',
        '--tmpfs /var/tmp',
        '--tmpfs /home/me',
        '--bind /home/me/.codex /home/me/.codex',
        '--bind /home/me/w /home/me/w',
        '--ro-bind /s/empty /home/me/.codex/AGENTS.md',
      ],
    );
  });

  it('make no link below another, since it would be made at the target', () => {
    const args = bubblewrapArguments(
      plan({
        mounts: [
          { kind: 'link', path: '/home/me', target: '/var/home/me' },
          { kind: 'link', path: '/home/me/w', target: '/var/home/me/w' },
        ],
      }),
      '/bin/x',
      [],
    );
    assert.deepEqual(
      mountsOf(args).filter((group) => group.startsWith('--symlink')),
      ['--symlink /var/home/me /home/me'],
    );
  });

  it('pass the program’s own arguments untouched, and nothing of its environment', () => {
    const args = bubblewrapArguments(plan(), '/bin/x', ['--bind', '/', '--', '-c $(id)']);
    assert.deepEqual(args.slice(args.indexOf('--')), ['--', '/bin/x', '--bind', '/', '--', '-c $(id)']);
    assert.ok(!args.includes('--setenv'));
  });
});
