import type { CopiedFile } from '../protocol/engineState.ts';

/** Sections of a person's git configuration that start no program and hold no credential. */
const harmless: ReadonlySet<string> = new Set(['user', 'init', 'safe']);

/**
 * The part of a git configuration (git-config(1)) that a worker needs to commit in the person's name. Aliases, helpers,
 * includes, signing and rewritten addresses, which may hold a token, are left out.
 */
function withIdentityOnly(text: string): string {
  let kept = false;
  const lines = text.split('\n').filter((line) => {
    const section = /^\s*\[\s*([A-Za-z0-9.-]+)/.exec(line)?.[1];
    if (section !== undefined) kept = harmless.has(section.toLowerCase());
    return kept;
  });
  return lines.join('\n');
}

/** Where git looks for a person's configuration, relative to HOME. */
export const identityFiles: readonly CopiedFile[] = ['.gitconfig', '.config/git/config'].map((path) => ({
  path,
  edit: withIdentityOnly,
}));
