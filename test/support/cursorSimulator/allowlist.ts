import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const configSchema = z.looseObject({
  permissions: z
    .looseObject({ allow: z.array(z.string()).default([]), deny: z.array(z.string()).default([]) })
    .prefault({}),
});

/** Adds a rule to the user's allowlist, as Tab does. */
export function addAllowRule(root: string, rule: string): void {
  const file = join(root, 'cli-config.json');
  mkdirSync(root, { recursive: true });
  const config = configSchema.parse(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
  config.permissions.allow.push(rule);
  writeFileSync(file, JSON.stringify(config, undefined, 2));
}
