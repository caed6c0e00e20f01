import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { parseConfig, settingNames } from '../../../src/config.ts';
import { commandIds } from '../../../src/vscode/commands/commandIds.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const strings = z.record(z.string(), z.string());

const setting = z.looseObject({ default: z.unknown(), scope: z.string().optional(), markdownDescription: z.string() });
const manifestSchema = z.object({
  capabilities: z.object({ untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }) }),
  contributes: z.object({
    commands: z.array(z.object({ command: z.string() })),
    configuration: z.array(z.object({ properties: z.record(z.string(), setting) })),
  }),
});

describe('manifest', () => {
  const manifest = manifestSchema.parse(JSON.parse(read('package.json')));
  const properties = Object.assign(
    {},
    ...manifest.contributes.configuration.map((section) => section.properties),
  ) as Record<string, z.infer<typeof setting>>;

  it('has a command for every id the window registers', () => {
    const declared = manifest.contributes.commands.map(({ command }) => command);
    assert.deepEqual(
      declared,
      commandIds.map((id) => `sallyport.${id}`),
    );
  });

  it('has the settings that the configuration knows', () => {
    assert.deepEqual(Object.keys(properties).sort(), settingNames.map((name) => `sallyport.${name}`).sort());
  });

  it('gives every setting the default of the configuration', () => {
    const defaults = Object.fromEntries(Object.entries(properties).map(([name, { default: value }]) => [name, value]));
    const { config, problems } = parseConfig(defaults);
    assert.deepEqual(problems, []);
    assert.deepEqual(config, parseConfig({}).config);
  });

  it('lets no untrusted workspace name a program, a variable or an access', () => {
    const restricted = new Set(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
    for (const name of Object.keys(properties).filter((each) =>
      /path$|folders$|environment|tiers|Model$|allow|sandbox/.test(each),
    )) {
      assert.ok(restricted.has(name), name);
      assert.match(properties[name]?.scope ?? '', /^machine/, name);
    }
  });

  it('has a text for every name it uses, and no other', () => {
    const used = new Set([...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, name]) => name));
    assert.deepEqual(Object.keys(strings.parse(JSON.parse(read('package.nls.json')))).sort(), [...used].sort());
  });

  it('lists every text of the window for translators', () => {
    const sources = globSync('src/vscode/**/*.ts', { cwd: root }).map(read).join('\n');
    const used = [...sources.matchAll(/l10n\.t\(\s*'((?:[^'\\]|\\.)*)'/g)].map(([, text]) =>
      text?.replaceAll("\\'", "'"),
    );
    const listed = strings.parse(JSON.parse(read('l10n/bundle.l10n.json')));
    assert.deepEqual(Object.keys(listed).sort(), [...new Set(used)].sort());
  });
});
