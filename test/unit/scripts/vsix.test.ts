import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { targetOfBinary } from '../../../scripts/binaryTarget.ts';
import { problemsOfVsix } from '../../../scripts/checkVsix.ts';
import { platformTargets, ptyFiles, vsixName, type VsixTarget } from '../../../scripts/vsixTarget.ts';
import { readZipEntries } from '../../../scripts/zipEntries.ts';

const library = resolve(import.meta.dirname, '..', '..', '..', 'node_modules', 'node-pty');
const manifest = JSON.stringify({ name: 'sallyport', version: '1.2.3', extensionKind: ['workspace'] });

interface File {
  content: Buffer | string;
  mode?: number;
}

/** As APPNOTE.TXT has it: local headers with content, then the directory. Checksums are left out: nobody looks at them. */
function zip(files: Readonly<Record<string, File>>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, { content, mode = 0o644 }] of Object.entries(files)) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    local.writeUInt16LE(4, 28);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(plain.length, 24);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt16LE(mode, 40);
    entry.writeUInt32LE(at, 42);
    // The extra field of four bytes stands in the local header alone.
    const whole = Buffer.concat([local, Buffer.from(name), Buffer.alloc(4), packed]);
    locals.push(whole);
    directory.push(entry, Buffer.from(name));
    at += whole.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

const plainFiles = [
  ...['extension', 'window', 'mcp', 'guard', 'launcher', 'redactWorker'].map((name) => `dist/${name}.cjs`),
  ...[
    'webview.js',
    'webview.css',
    'setupPage.js',
    'setupPage.css',
    'codicon.ttf',
    'sql-wasm.wasm',
    'ThirdPartyNotices.txt',
  ].map((name) => `dist/${name}`),
  ...['media/icon.png', 'l10n/bundle.l10n.json', 'l10n/bundle.l10n.de.json', 'package.nls.json', 'package.nls.ja.json'],
  ...['readme.md', 'changelog.md', 'LICENSE.txt'],
];

/** A package as it should be. */
function wholePackage(target: VsixTarget): Record<string, File> {
  const platform = target === 'universal' ? '' : ` TargetPlatform="${target}"`;
  const pty = ptyFiles(target).map(({ path, kind }): [string, File] => [
    `extension/dist/node-pty/${path}`,
    { content: readFileSync(join(library, path)), mode: kind === 'program' ? 0o755 : 0o644 },
  ]);
  return {
    '[Content_Types].xml': { content: '' },
    'extension.vsixmanifest': { content: `<Identity Language="en-US" Id="sallyport"${platform}/>` },
    'extension/package.json': { content: manifest },
    ...Object.fromEntries(plainFiles.map((path) => [`extension/${path}`, { content: path }])),
    ...Object.fromEntries(pty),
  };
}

const problems = (target: VsixTarget, change: (files: Record<string, File>) => void = () => undefined) => {
  const files = wholePackage(target);
  change(files);
  return problemsOfVsix(zip(files), { target, manifest });
};

describe('problemsOfVsix', () => {
  for (const target of [...platformTargets, 'universal'] as const) {
    it(`finds nothing wrong with a whole package for ${target}`, () => {
      assert.deepEqual(problems(target), []);
    });
  }

  it('finds what does not belong there, and what is missing', () => {
    const found = problems('linux-x64', (files) => {
      files['extension/dist/extension.cjs.map'] = { content: '' };
      files['extension/src/extension.ts'] = { content: '' };
      files['notes.txt'] = { content: '' };
      delete files['extension/dist/mcp.cjs'];
      delete files['extension/media/icon.png'];
    });
    assert.deepEqual(
      found.map((problem) => /(?:holds|lacks) [^, ]+/.exec(problem)?.[0]),
      [
        'holds extension/dist/extension.cjs.map',
        'holds extension/src/extension.ts',
        'holds notes.txt',
        'lacks dist/mcp.cjs',
        'lacks media/',
      ],
    );
  });

  it('finds node-pty of another platform, by name and by what it is', () => {
    const arm = readFileSync(join(library, 'prebuilds/darwin-arm64/pty.node'));
    const other = 'extension/dist/node-pty/prebuilds/darwin-arm64/pty.node';
    const own = 'extension/dist/node-pty/prebuilds/darwin-x64/pty.node';
    const extra = problems('darwin-x64', (files) => void (files[other] = { content: arm }));
    assert.deepEqual(extra, [`holds ${other}, which does not belong there`]);
    const wrong = problems('darwin-x64', (files) => void (files[own] = { content: arm }));
    assert.deepEqual(wrong, ['has dist/node-pty/prebuilds/darwin-x64/pty.node for darwin-arm64']);
    assert.equal(problems('universal', (files) => void (files[own] = { content: arm })).length, 1);
  });

  it('finds a program that cannot be run', () => {
    const helper = 'extension/dist/node-pty/prebuilds/darwin-arm64/spawn-helper';
    const found = problems('darwin-arm64', (files) => {
      files[helper] = { content: files[helper]?.content ?? '', mode: 0o644 };
    });
    assert.match(found.join('\n'), /^has .*spawn-helper, which is not executable$/);
  });

  it('finds another manifest, another platform and too much', () => {
    const found = problems('linux-arm64', (files) => {
      files['extension/package.json'] = { content: manifest.replace('workspace', 'ui') };
      files['extension.vsixmanifest'] = { content: '<Identity Id="sallyport" TargetPlatform="linux-x64"/>' };
    });
    assert.deepEqual(found, ['has a package.json that is not the one of this folder', 'says that it is for linux-x64']);
    const large = problems('universal', (files) => {
      for (let part = 0; part < 50; part++) {
        const content = Buffer.from(crypto.getRandomValues(new Uint8Array(65_000)));
        files[`extension/media/${part}`] = { content };
      }
    });
    assert.match(large.join('\n'), /more than 3000000$/);
  });
});

describe('ptyFiles', () => {
  it('has what every file loads, and nothing that is not there', () => {
    for (const target of platformTargets) {
      const paths = ptyFiles(target).map(({ path }) => path);
      assert.deepEqual(
        paths.filter((path) => !existsSync(join(library, path))),
        [],
      );
      for (const path of paths.filter((each) => each.endsWith('.js'))) {
        const source = readFileSync(join(library, path), 'utf8');
        for (const [, required, started] of source.matchAll(/require\("(\.[^"]+)"\)|'(worker\/\w+|\w+_agent)/g)) {
          const wanted = join(path, '..', `${required ?? started ?? ''}.js`);
          assert.ok(paths.includes(wanted), `${target}: ${path} loads ${wanted}`);
        }
      }
    }
  });

  it('is nothing for all other platforms', () => {
    assert.deepEqual(ptyFiles('universal'), []);
  });
});

describe('targetOfBinary', () => {
  it('knows each of node-pty’s binaries', () => {
    for (const target of platformTargets) {
      for (const { path } of ptyFiles(target).filter(({ kind }) => kind !== 'text')) {
        assert.equal(targetOfBinary(readFileSync(join(library, path))), target);
      }
    }
  });

  it('says nothing of what is none', () => {
    assert.equal(targetOfBinary(Buffer.from('#!/bin/sh\n')), undefined);
    const cut = Buffer.alloc(64);
    cut.write('MZ');
    cut.writeUInt32LE(1000, 0x3c);
    assert.equal(targetOfBinary(cut), undefined);
    assert.equal(targetOfBinary(Buffer.alloc(64)), undefined);
  });
});

describe('vsixName', () => {
  it('is vsce’s own', () => {
    const identity = { name: 'sallyport', version: '1.2.3' };
    assert.equal(vsixName('win32-arm64', identity), 'sallyport-win32-arm64-1.2.3.vsix');
    assert.equal(vsixName('universal', identity), 'sallyport-1.2.3.vsix');
  });
});

describe('readZipEntries', () => {
  it('reads names, rights and content', () => {
    const [entry] = readZipEntries(zip({ 'ä/b': { content: 'hello '.repeat(100), mode: 0o755 } }));
    assert.deepEqual([entry?.name, entry?.mode, entry?.read().toString()], ['ä/b', 0o755, 'hello '.repeat(100)]);
  });

  it('refuses what is no archive', () => {
    assert.throws(() => readZipEntries(Buffer.from('no')), /no zip archive/);
  });
});
