import assert from 'node:assert/strict';
import { claude } from '../../../src/engines/claude.ts';
import { codex } from '../../../src/engines/codex.ts';
import { cursor } from '../../../src/engines/cursor.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { grok } from '../../../src/engines/grok.ts';
import { engines } from '../../../src/engines/registry.ts';
import { engineIdSchema } from '../../../src/protocol/model.ts';

/** The telling parts of what `--version` and `--help` print. */
const texts: Record<Engine['id'], string> = {
  codex:
    'codex-cli 0.171.0\nCodex CLI\n\nUsage: codex [OPTIONS] [PROMPT]\n\nCommands:\n  exec              Run Codex non-interactively\n',
  grok: 'grok 1.0.41 (4220f3b224a6)\nGrok Build TUI\n\nUsage: grok [OPTIONS]\n      --prompt-file <PATH>\n          - streaming-messages-json: NDJSON\n',
  claude:
    '2.1.197 (Claude Code)\nUsage: claude [options]\n  --input-format <format>\n  --session-id <uuid>\n  --setting-sources <sources>\n  --settings <file-or-json>\n  --strict-mcp-config    Only\n  --tools <tools...>\n',
  cursor:
    '2026.01.28-fd13201\nUsage: agent [options] [command] [prompt...]\n\nStart the Cursor Agent\n  --output-format <format>\n  --resume [chatId]\n  --mode <mode>\n  --trust    Trust\n',
};
const why = (engine: Engine, text: string): string => {
  const identity = engine.identify(text);
  return identity.ok ? `ok ${identity.version}` : identity.why;
};

describe('the identity of a binary', () => {
  it('is told by what it prints, with its version', () => {
    assert.equal(why(codex, texts.codex), 'ok 0.171.0');
    assert.equal(why(grok, texts.grok), 'ok 1.0.41');
    assert.equal(why(claude, texts.claude), 'ok 2.1.197');
    assert.equal(why(cursor, texts.cursor), 'ok 2026.01.28-fd13201');
  });

  it('is never that of another CLI under the right name', () => {
    for (const engine of engines) {
      for (const [id, text] of Object.entries(texts)) {
        if (id !== engine.id) assert.match(why(engine, text), /^This is not /);
      }
      assert.match(why(engine, ''), /^This is not /);
    }
    const community =
      '1.0.1\nUsage: grok [options] [message...]\n\nA conversational AI CLI tool powered by Grok with text editor capabilities\n';
    assert.equal(why(grok, community), "This is not xAI's Grok CLI.");
  });

  it('is refused when it is too old for what Sallyport asks, with the way out', () => {
    assert.match(
      why(claude, texts.claude.replace(/.*--tools.*\n/, '')),
      /2\.1\.197 is too old: it has no --tools\..*claude update/,
    );
    assert.match(why(claude, texts.claude.replace('--settings <file-or-json>', '')), /no --settings/);
    assert.match(why(grok, texts.grok.replace('streaming-messages-json', 'x')), /too old.*grok update/);
    assert.match(why(codex, texts.codex.replace('  exec ', '  e ')), /codex exec/);
    assert.match(why(cursor, texts.cursor.replace('--trust', '')), /no --trust/);
  });
});

describe('the list of engines', () => {
  it('holds each once, and says how to get it and how to sign in', () => {
    assert.deepEqual(engines.map(({ id }) => id).sort(), [...engineIdSchema.options].sort());
    for (const { installHint, signInHint, binaries } of engines) {
      assert.match(installHint, /`.+`/);
      assert.match(signInHint, /`.+`/);
      assert.ok(binaries.length > 0);
    }
  });

  it('names native binaries beside the wrapper and nested below it', () => {
    const target = 'vendor/x86_64-unknown-linux-musl/bin/codex';
    assert.deepEqual(codex.nativeBinaries('linux', 'x64'), [
      `../../codex-linux-x64/${target}`,
      `../node_modules/@openai/codex-linux-x64/${target}`,
      `../${target}`,
    ]);
    assert.deepEqual(codex.nativeBinaries('freebsd', 'x64'), []);
    assert.ok(codex.nativeBinaries('win32', 'arm64').every((path) => path.endsWith('codex.exe')));
    assert.equal(claude.nativeBinaries('linux', 'x64')[0], '../../claude-code-linux-x64/claude');
    assert.ok(claude.nativeBinaries('linux', 'x64').includes('../../claude-code-linux-x64-musl/claude'));
    assert.equal(grok.nativeBinaries('darwin', 'arm64')[0], 'grok-native');
  });
});
