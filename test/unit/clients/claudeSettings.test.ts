import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as z from 'zod';
import { type Edited, hasHook, withHook, withoutHook } from '../../../src/clients/claudeSettings.ts';

const script = '/home/ada/.local/share/sallyport/clients/sallyport-claude-hook.sh';

const withGroups = z.looseObject({
  hooks: z.looseObject({
    PreToolUse: z.array(z.looseObject({ hooks: z.array(z.looseObject({ command: z.string() })) })),
  }),
});
/** The groups of hooks that run before tools. */
const groupsIn = (text: string) => withGroups.parse(JSON.parse(text.replace(/^\uFEFF/, ''))).hooks.PreToolUse;

const textOf = (edited: Edited): string => (edited.ok ? edited.text : assert.fail(edited.why));
const installed = (text: string) => textOf(withHook(text, script, 'linux'));
const removed = (text: string) => textOf(withoutHook(text));

const entry = {
  matcher: 'Read|WebSearch',
  hooks: [{ type: 'command', command: `sh '${script}' 2>/dev/null || true`, timeout: 5 }],
};

/** Other hooks, in the ways people write them. */
const files = {
  'no settings but some': '{\n  "model": "opus",\n  "env": { "A":"b" }\n}\n',
  'an empty object': '{}',
  'one line': '{"model":"opus","permissions":{"allow":["Bash(ls:*)"]}}',
  tabs: '{\n\t"model": "opus"\n}\n',
  'four spaces and Windows line ends': '{\r\n    "model": "opus",\r\n    "x": [1,  2]\r\n}\r\n',
  'a byte order mark': '\uFEFF{\n  "model": "opus"\n}\n',
  'hooks of another kind':
    '{\n  "hooks": {\n    "Stop": [{ "hooks": [{"type": "command", "command": "say done"}] }]\n  }\n}\n',
  'hooks before tools': `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [ { "type": "command", "command": "check.sh" } ]
      }
    ],
    "Stop": []
  },
  "model": "opus"
}
`,
};

describe('the hook in the settings of Claude Code', () => {
  for (const [name, text] of Object.entries(files)) {
    it(`goes into settings with ${name} and comes out again without a trace`, () => {
      const once = installed(text);
      assert.ok(hasHook(once));
      assert.equal(once.startsWith('\uFEFF'), text.startsWith('\uFEFF'));
      assert.deepEqual(groupsIn(once).at(-1), entry);
      assert.equal(removed(once), text);
    });

    it(`is the same when it is put into settings with ${name} twice`, () => {
      assert.equal(installed(installed(text)), installed(text));
    });
  }

  it('keeps every line that was there', () => {
    const lines = installed(files['hooks before tools']).split('\n');
    let at = -1;
    for (const line of files['hooks before tools'].split('\n')) {
      const found = lines.findIndex((each, index) => index > at && each.replace(/,$/, '') === line.replace(/,$/, ''));
      assert.ok(found > at, line);
      at = found;
    }
  });

  it('makes a file where there is none', () => {
    assert.deepEqual(JSON.parse(installed('')), { hooks: { PreToolUse: [entry] } });
    assert.equal(removed(installed('')).trim(), '{}');
  });

  it('replaces an earlier one that ran a script elsewhere', () => {
    const earlier = textOf(withHook('{}', '/old/clients/sallyport-claude-hook.sh', 'linux'));
    assert.deepEqual(JSON.parse(installed(earlier)), { hooks: { PreToolUse: [entry] } });
  });

  it('takes out its own alone where the person put others beside it', () => {
    const mine = { type: 'command', command: 'mine.sh' };
    const mixed = { hooks: { PreToolUse: [{ matcher: 'Read', hooks: [mine, entry.hooks[0], mine] }, entry] } };
    assert.deepEqual(JSON.parse(removed(JSON.stringify(mixed, null, 2))), {
      hooks: { PreToolUse: [{ matcher: 'Read', hooks: [mine, mine] }] },
    });
  });

  it('leaves settings without it as they are', () => {
    for (const text of [...Object.values(files), '']) assert.equal(removed(text), text);
  });

  it('refuses what Claude Code could not read, and says why', () => {
    const cases = ['{', '// mine\n{}', '{"a":1,}', '[]', '{"hooks":[]}', '{"hooks":{"PreToolUse":{}}}'];
    for (const text of cases) {
      for (const edited of [withHook(text, script, 'linux'), withoutHook(text)]) {
        if (edited.ok) assert.fail(text);
        assert.ok(edited.why.length > 5);
      }
      assert.equal(hasHook(text), false);
    }
  });

  it('quotes the path of the script for a shell', () => {
    const [group] = groupsIn(textOf(withHook('{}', "/home/o'neil/sallyport-claude-hook.sh", 'darwin')));
    assert.equal(
      group?.hooks[0]?.command,
      String.raw`sh '/home/o'\''neil/sallyport-claude-hook.sh' 2>/dev/null || true`,
    );
  });

  it('names the shell on Windows, and spells the path so that it can read it', () => {
    const path = String.raw`C:\Users\Ada L\AppData\sallyport-claude-hook.sh`;
    const [group] = groupsIn(textOf(withHook('{}', path, 'win32')));
    assert.equal(group?.hooks[0]?.shell, 'bash');
    assert.match(group.hooks[0].command, /^sh 'C:\/Users\/Ada L\/AppData\/sallyport-claude-hook\.sh' /);
  });

  it('changes nothing else in any settings', () => {
    const hook = fc.record({ type: fc.constant('command'), command: fc.string() });
    const group = fc.record({ matcher: fc.string(), hooks: fc.array(hook, { minLength: 1 }) });
    const settings = fc.record(
      {
        model: fc.string(),
        env: fc.dictionary(fc.string(), fc.string()),
        hooks: fc.record(
          { PreToolUse: fc.array(group, { minLength: 1 }), Stop: fc.array(group) },
          { requiredKeys: ['PreToolUse'] },
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(settings, fc.constantFrom('  ', '\t', '    ', ''), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        assert.deepEqual(JSON.parse(removed(installed(text))), JSON.parse(text));
        assert.equal(groupsIn(installed(text)).length, (value.hooks?.PreToolUse.length ?? 0) + 1);
      }),
    );
  });
});
