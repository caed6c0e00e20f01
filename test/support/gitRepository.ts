import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const identity = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

/** A repository in a temporary folder, beside a place for stores and a HOME of its own. */
export class GitRepository {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-git-')));
  readonly root = join(this.base, 'work');
  readonly store = join(this.base, 'store');
  readonly env = { PATH: process.env.PATH, HOME: join(this.base, 'home'), GIT_CONFIG_NOSYSTEM: '1', ...identity };

  constructor(...initOptions: string[]) {
    mkdirSync(this.root);
    mkdirSync(this.env.HOME);
    this.git('init', '--quiet', ...initOptions);
  }

  /** Runs git as the person would, and returns what it printed. */
  git(...args: string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    return execFileSync('git', args, { cwd, env: this.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  write(path: string, text: string | Buffer): void {
    const place = join(this.root, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }

  commit(files: Record<string, string | Buffer>): void {
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', 'work');
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}
