import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { textsOfWindow } from '../../../scripts/texts.ts';
import { parseConfig, settingNames } from '../../../src/config.ts';
import { commandIds } from '../../../src/vscode/commands/commandIds.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const strings = z.record(z.string(), z.string());

const setting = z.looseObject({ default: z.unknown(), scope: z.string().optional(), markdownDescription: z.string() });
/**
 * The settings that any workspace may set, trusted or not: they name no program, argument, path, variable, model or access.
 * A new setting that is not here has to be restricted.
 */
const harmless: readonly string[] = [
  ...['cursor.notify', 'cursor.settleMs', 'terseWorkers'],
  ...['maxRunMinutes', 'noEventMinutes', 'maxParallelRuns', 'result.maxChars', 'mcp.maxWaitSeconds'],
];

const support = z.object({ supported: z.union([z.boolean(), z.string()]), description: z.string() });
const link = z.object({ url: z.string() });
const manifestSchema = z.object({
  version: z.string(),
  license: z.string(),
  repository: link,
  bugs: link,
  homepage: z.string(),
  qna: z.string(),
  icon: z.string(),
  engines: z.object({ vscode: z.string() }),
  devDependencies: z.record(z.string(), z.string()),
  extensionKind: z.array(z.string()),
  activationEvents: z.array(z.string()),
  capabilities: z.object({
    untrustedWorkspaces: support.extend({ restrictedConfigurations: z.array(z.string()) }),
    virtualWorkspaces: support,
  }),
  contributes: z.object({
    commands: z.array(z.object({ command: z.string(), category: z.string() })),
    configuration: z.array(z.object({ properties: z.record(z.string(), setting) })),
    mcpServerDefinitionProviders: z.array(z.object({ id: z.string() })),
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

  it('lets no untrusted workspace set anything but what is harmless', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const others = Object.keys(properties).filter((name) => !harmless.includes(name.replace('sallyport.', '')));
    assert.deepEqual([...restrictedConfigurations].sort(), others.sort());
  });

  it('keeps what says how a machine runs agents out of the settings that are synchronised', () => {
    for (const [name, { scope }] of Object.entries(properties)) {
      const isOfPerson = scope === 'application' && harmless.includes(name.replace('sallyport.', ''));
      assert.ok(isOfPerson || scope === 'machine' || scope === 'machine-overridable', `${name}: ${scope ?? 'window'}`);
    }
  });

  it('lets no workspace at all loosen what holds agents', () => {
    const own = Object.keys(properties).filter((name) => /\.sandbox\.|allowWiden|folders$/.test(name));
    assert.ok(own.length >= 5);
    for (const name of own) assert.equal(properties[name]?.scope, 'machine', name);
  });

  it('runs where the agents are, on real files, and says so', () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
    const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
    assert.deepEqual([untrustedWorkspaces.supported, virtualWorkspaces.supported], ['limited', false]);
    assert.match(`${untrustedWorkspaces.description} ${virtualWorkspaces.description}`, /^%\w+% %\w+%$/);
  });

  it('is loaded by what it needs, and by nothing broader', () => {
    for (const event of manifest.activationEvents) assert.match(event, /^on(?:StartupFinished$|FileSystem:sallyport-)/);
    const { mcpServerDefinitionProviders } = manifest.contributes;
    assert.deepEqual(
      mcpServerDefinitionProviders.map(({ id }) => id),
      ['sallyport'],
    );
  });

  it('needs the editor whose API it is compiled against', () => {
    assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode'] ?? ''}`);
  });

  it('tells a store whose it is and where to ask, with a picture that is large enough', () => {
    assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
    const links = [manifest.repository.url, manifest.homepage, manifest.bugs.url, manifest.qna];
    for (const link of links) assert.match(link, /^https:\/\/github\.com\/sallyport\/sallyport\b/);
    assert.equal(manifest.license, /^(\w+) License/.exec(read('LICENSE'))?.[1]);
    // PNG: width and height are the first two numbers of the first chunk.
    const icon = readFileSync(join(root, manifest.icon));
    assert.equal(icon.toString('latin1', 1, 4), 'PNG');
    assert.ok(icon.readUInt32BE(16) >= 128 && icon.readUInt32BE(16) === icon.readUInt32BE(20));
  });

  it('has its commands under one name', () => {
    for (const { command, category } of manifest.contributes.commands) assert.equal(category, '%category%', command);
  });

  it('has a text for every name it uses, and no other', () => {
    const used = new Set([...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, name]) => name));
    assert.deepEqual(Object.keys(strings.parse(JSON.parse(read('package.nls.json')))).sort(), [...used].sort());
  });

  it('lists every text of the window for translators', () => {
    const listed = strings.parse(JSON.parse(read('l10n/bundle.l10n.json')));
    assert.deepEqual(Object.keys(listed), textsOfWindow(), 'npm run l10n writes them');
  });
});
