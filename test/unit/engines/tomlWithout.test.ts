import assert from 'node:assert/strict';
import { tomlWithout } from '../../../src/engines/tomlWithout.ts';

const names = ['mcp_servers', 'hooks', 'notify'];

describe('a TOML text without some of its names', () => {
  const cases: readonly { what: string; text: string; left: string }[] = [
    { what: 'a key', text: 'model = "x"\nnotify = ["a"]\neffort = "low"', left: 'model = "x"\neffort = "low"' },
    { what: 'a dotted key', text: 'mcp_servers.a.command = "x"\nb = 1', left: 'b = 1' },
    { what: 'a quoted key', text: '"notify" = 1\n\'hooks\' = 2\nb = 1', left: 'b = 1' },
    {
      what: 'a table and those below it',
      text: '[a]\nx = 1\n[mcp_servers.b]\ny = 2\n[mcp_servers.b.env]\nK = "v"\n[c]',
      left: '[a]\nx = 1\n[c]',
    },
    { what: 'a list of tables', text: '[[hooks.Stop]]\nx = 1\n[ a ]\ny = 1', left: '[ a ]\ny = 1' },
    { what: 'a table with a quoted name', text: '["mcp_servers"."x y"]\na = 1\n[b]', left: '[b]' },
    { what: 'a list of several lines', text: 'notify = [ # ]\n  "[a]",\n  "b"\n]\nc = 1', left: 'c = 1' },
    { what: 'an inline table of several lines', text: 'hooks = { a = [1,\n 2] }\nc = 1', left: 'c = 1' },
    { what: 'a string of several lines', text: 'notify = """\n[a]\n\\""" b = """\nc = 1', left: 'c = 1' },
  ];
  for (const { what, text, left } of cases) {
    it(`loses ${what}`, () => assert.equal(tomlWithout(text, names), left));
  }

  for (const text of [
    'prompt = """\n[hooks]\nnotify = 1\n"""\nb = 1',
    "prompt = '''\n[hooks]\n\\'''\nb = 1",
    'list = [\n"[mcp_servers.x]",\n]\nb = 1',
    '[model_providers.x]\nnotify = "its own"\nhooks = 1',
    'text = "[" # "\nnotifyMe = 1',
    'not toml at all\n= [\n',
  ]) {
    it(`keeps ${JSON.stringify(text)}`, () => assert.equal(tomlWithout(text, names), text));
  }
});
