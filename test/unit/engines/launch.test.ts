import assert from 'node:assert/strict';
import fc from 'fast-check';
import { claude } from '../../../src/engines/claude.ts';
import { codex } from '../../../src/engines/codex.ts';
import { cursor } from '../../../src/engines/cursor.ts';
import type { RunRequest } from '../../../src/engines/engine.ts';
import { grok } from '../../../src/engines/grok.ts';
import { engines } from '../../../src/engines/registry.ts';
import { aRequest } from './recordings.ts';

const consent = { unsandboxedConsent: true };
const session = { resume: { id: '0199aaaa-1111-7222-8333-444455556666' } };

/** Every argument that is an option, without its value. */
function flags(args: readonly string[]): string[] {
  return args.filter((each) => /^--?[a-z]/i.test(each)).map((each) => each.replace(/=.*/s, ''));
}

function valueOf(args: readonly string[], flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at === -1 ? undefined : args[at + 1];
}

describe('the launch of Codex', () => {
  const args = (over: Partial<RunRequest> = {}) => codex.launch(aRequest(over)).args;

  it('says the sandbox of every access', () => {
    assert.equal(valueOf(args(), '-s'), 'read-only');
    assert.equal(valueOf(args({ access: 'workspaceWrite' }), '-s'), 'workspace-write');
    const full = args({ access: 'full', ...consent });
    assert.ok(full.includes('--dangerously-bypass-approvals-and-sandbox'));
    assert.ok(!full.includes('-s'));
  });

  it('resumes only what looks like a thread: of other words it would begin a new one', () => {
    for (const id of ['deadbeef', 'last', '0199aaaa-1111-7222-8333-44445555666']) {
      assert.match(codex.refuses(aRequest({ resume: { id } })) ?? '', /no Codex session/, id);
    }
  });

  it('says everything before the word resume, which takes no sandbox', () => {
    const resumed = args({ ...session, access: 'workspaceWrite', model: 'gpt-5.6-sol', effort: 'xhigh' });
    assert.deepEqual(resumed.slice(-3), ['resume', session.resume.id, '-']);
    assert.ok(resumed.indexOf('-s') < resumed.indexOf('resume'));
    assert.ok(resumed.indexOf('-m') < resumed.indexOf('resume'));
    assert.equal(valueOf(resumed, '-m'), 'gpt-5.6-sol');
    assert.ok(resumed.includes('model_reasoning_effort="xhigh"'));
  });

  it('sends the prompt through standard input and closes it', () => {
    const prompt = '--help; $(reboot) `x`\n-s danger-full-access';
    assert.equal(args({ prompt }).at(-1), '-');
    assert.deepEqual(codex.conversation(aRequest({ prompt })).start(), [
      { kind: 'write', line: prompt },
      { kind: 'endInput' },
    ]);
  });

  it('gives instructions to a new session as TOML and to a resumed one in the prompt', () => {
    const instructions = 'Say "yes".\n\\ \u007f \u0001';
    const config = args({ instructions }).find((each) => each.startsWith('developer_instructions='));
    assert.equal(config, 'developer_instructions="Say \\"yes\\".\\n\\\\ \\u007f \\u0001"');
    const request = aRequest({ instructions, ...session });
    assert.ok(!codex.launch(request).args.some((each) => each.startsWith('developer_instructions')));
    const [first] = codex.conversation(request).start();
    assert.ok(first?.kind === 'write' && first.line.includes(instructions) && first.line.includes(request.prompt));
  });

  it('turns analytics off, keeps keys from commands, and searches the web only when asked', () => {
    assert.ok(args().includes('analytics.enabled=false'));
    assert.ok(args().includes('shell_environment_policy.ignore_default_excludes=false'));
    assert.ok(args().includes('web_search="disabled"'));
    assert.ok(args({ web: true }).includes('web_search="live"'));
    assert.ok(!args().some((each) => each.includes('approval_policy')));
  });

  it('refuses full access without consent and a prompt Codex would refuse', () => {
    assert.match(codex.refuses(aRequest({ access: 'full' })) ?? '', /approvals/);
    assert.equal(codex.refuses(aRequest({ access: 'workspaceWrite' })), undefined);
    assert.match(codex.refuses(aRequest({ prompt: 'x'.repeat(1_048_577) })) ?? '', /file/);
    assert.equal(codex.refuses(aRequest({ prompt: 'x'.repeat(1_000_000) })), undefined);
  });
});

describe('the launch of Claude Code', () => {
  const args = (over: Partial<RunRequest> = {}) => claude.launch(aRequest(over)).args;
  const tools = (over: Partial<RunRequest> = {}) => args(over).find((each) => each.startsWith('--tools='));

  it('speaks stream-json both ways and takes its permissions from the run', () => {
    const usual = args();
    assert.equal(valueOf(usual, '--input-format'), 'stream-json');
    assert.equal(valueOf(usual, '--output-format'), 'stream-json');
    assert.equal(valueOf(usual, '--permission-prompt-tool'), 'stdio');
    assert.equal(valueOf(usual, '--setting-sources'), 'project');
    assert.ok(usual.includes('--strict-mcp-config') && usual.includes('--verbose'));
  });

  it('offers the tools of each access', () => {
    assert.equal(tools(), '--tools=Read,Glob,Grep');
    assert.equal(tools({ web: true }), '--tools=Read,Glob,Grep,WebSearch,WebFetch');
    assert.equal(tools(consent), '--tools=Read,Glob,Grep');
    assert.equal(tools({ access: 'workspaceWrite' }), '--tools=Read,Glob,Grep,Edit,Write,NotebookEdit');
    assert.match(tools({ access: 'workspaceWrite', ...consent }) ?? '', /,Bash$/);
    assert.equal(tools({ access: 'full', ...consent }), undefined);
    assert.ok(args({ access: 'full', ...consent }).includes('--disallowedTools=WebSearch,WebFetch'));
  });

  it('runs the hooks of a project only where commands may run', () => {
    const hooksOff = (over: Partial<RunRequest>) => valueOf(args(over), '--settings') === '{"disableAllHooks":true}';
    assert.ok(hooksOff({}));
    assert.ok(hooksOff(consent));
    assert.ok(hooksOff({ access: 'workspaceWrite' }));
    assert.ok(!hooksOff({ access: 'workspaceWrite', ...consent }));
  });

  it('never switches its permissions off', () => {
    for (const access of ['readOnly', 'workspaceWrite', 'full'] as const) {
      assert.doesNotMatch(args({ access, ...consent }).join(' '), /dangerously|bypassPermissions/);
    }
  });

  it('names a new session and resumes an old one', () => {
    assert.equal(valueOf(args(), '--session-id'), aRequest().newSessionId);
    const resumed = args(session);
    assert.equal(valueOf(resumed, '--resume'), session.resume.id);
    assert.ok(!resumed.includes('--session-id'));
  });

  it('gives instructions by flag to a new session, in the prompt to a resumed one', () => {
    assert.ok(args({ instructions: '-p be brief' }).includes('--append-system-prompt=-p be brief'));
    const request = aRequest({ instructions: 'be brief', ...session });
    assert.doesNotMatch(claude.launch(request).args.join(' '), /be brief/);
    const [first] = claude.conversation(request).start();
    assert.match(first?.kind === 'write' ? first.line : '', /be brief.*What is the answer\?/);
  });

  it('writes the prompt as one JSON line and leaves the input open', () => {
    const actions = claude.conversation(aRequest({ prompt: 'two\nlines' })).start();
    assert.equal(actions.length, 1);
    assert.ok(actions[0]?.kind === 'write' && !actions[0].line.includes('\n'));
    assert.match(actions[0].line, /"text":"two\\nlines"/);
  });

  it('lets no prompt be taken for a command of its own', () => {
    const [first] = claude.conversation(aRequest({ prompt: ' /compact' })).start();
    assert.match(first?.kind === 'write' ? first.line : '', /"text":"The task:\\n \/compact"/);
  });

  it('keeps credentials from commands by a file that is sourced before each', () => {
    const { env, files } = claude.launch(aRequest());
    assert.equal(files.length, 1);
    assert.equal(env.CLAUDE_ENV_FILE, files[0]?.path);
    assert.match(files[0]?.text ?? '', /^unset .*\bANTHROPIC_API_KEY\b/);
    assert.ok(!('CLAUDE_CODE_SUBPROCESS_ENV_SCRUB' in env));
  });

  it('refuses an effort it would ignore, and full access without consent', () => {
    assert.match(claude.refuses(aRequest({ effort: 'silly' })) ?? '', /low, medium, high, xhigh, max/);
    assert.equal(claude.refuses(aRequest({ effort: 'max' })), undefined);
    assert.match(claude.refuses(aRequest({ access: 'full' })) ?? '', /approvals/);
  });
});

describe('the launch of Grok', () => {
  const args = (over: Partial<RunRequest> = {}) => grok.launch(aRequest(over)).args;

  it('holds read-only by the list of tools, the ways to MCP servers taken away', () => {
    assert.equal(valueOf(args(), '--tools'), 'read_file,list_dir,grep');
    assert.equal(valueOf(args(), '--disallowed-tools'), 'search_tool,use_tool');
    assert.ok(args().includes('--always-approve'));
    assert.ok(!args().includes('--sandbox'));
    assert.equal(valueOf(args(session), '--tools'), 'read_file,list_dir,grep');
  });

  it('writes only with consent', () => {
    for (const access of ['workspaceWrite', 'full'] as const) {
      assert.match(grok.refuses(aRequest({ access })) ?? '', /approvals/);
      assert.throws(() => args({ access }), /approvals/);
      assert.ok(!args({ access, ...consent }).includes('--tools'));
    }
  });

  it('takes the prompt from a private file, word for word', () => {
    const { args: argv, files } = grok.launch(aRequest({ prompt: '/goal --x' }));
    assert.deepEqual(files, [{ path: valueOf(argv, '--prompt-file'), text: '/goal --x' }]);
    assert.ok(argv.includes('--verbatim'));
    assert.ok(files[0]?.path.startsWith('/scratch'));
  });

  it('searches the web only when asked', () => {
    assert.ok(args().includes('--disable-web-search'));
    assert.ok(!args({ web: true }).includes('--disable-web-search'));
    assert.match(valueOf(args({ web: true }), '--tools') ?? '', /web_search/);
  });

  it('names a new session, resumes an old one, and keeps instructions for the new', () => {
    const fresh = args({ instructions: '--be brief', model: 'grok-4.6', effort: 'high' });
    assert.equal(valueOf(fresh, '-s'), aRequest().newSessionId);
    assert.ok(fresh.includes('--rules=--be brief'));
    assert.equal(valueOf(fresh, '-m'), 'grok-4.6');
    assert.equal(valueOf(fresh, '--effort'), 'high');
    const resumed = grok.launch(aRequest({ instructions: 'be brief', ...session }));
    assert.equal(valueOf(resumed.args, '-r'), session.resume.id);
    assert.ok(!flags(resumed.args).includes('--rules'));
    assert.match(resumed.files[0]?.text ?? '', /be brief/);
  });

  it('keeps keys from commands and stays at its version', () => {
    const { env } = grok.launch(aRequest());
    assert.match(env.GROK_CONFIG ?? '', /"ignore_default_excludes":false/);
    assert.equal(env.GROK_DISABLE_AUTOUPDATER, '1');
  });
});

describe('the launch of Cursor', () => {
  const args = (over: Partial<RunRequest> = {}) => cursor.launch(aRequest(over)).args;

  it('reads in ask mode and writes by force, with consent', () => {
    assert.equal(valueOf(args(), '--mode'), 'ask');
    assert.ok(!args().includes('--force'));
    assert.match(cursor.refuses(aRequest({ access: 'workspaceWrite' })) ?? '', /approvals/);
    assert.ok(args({ access: 'workspaceWrite', ...consent }).includes('--force'));
    assert.ok(args().includes('--trust'));
  });

  it('says the prompt last, behind --, with instructions and without questions', () => {
    const argv = args({ prompt: '--force', instructions: 'be brief', model: 'gpt-5.2', ...session });
    assert.equal(argv.at(-2), '--');
    assert.match(argv.at(-1) ?? '', /be brief[^]*--force[^]*Do not ask questions/);
    assert.equal(valueOf(argv, '--resume'), session.resume.id);
    assert.equal(valueOf(argv, '--model'), 'gpt-5.2');
  });

  it('refuses what it has no option for', () => {
    assert.match(cursor.refuses(aRequest({ web: true })) ?? '', /web/);
    assert.match(cursor.refuses(aRequest({ effort: 'high' })) ?? '', /effort/);
    assert.match(cursor.refuses(aRequest({ prompt: 'ü'.repeat(60_000) })) ?? '', /bytes/);
    assert.match(cursor.refuses(aRequest({ prompt: 'a\0b' })) ?? '', /NUL/);
  });
});

describe('every launch', () => {
  const hostile = ['--x', '-s', '', ' ', 'a b', '$(x)', '`x`', 'a;b', 'a\nb', '../x"', "'", 'x'.repeat(200)];

  for (const engine of engines) {
    it(`of ${engine.id} refuses names that are none`, () => {
      for (const name of hostile) {
        for (const over of [{ model: name }, { effort: name }, { resume: { id: name } }]) {
          assert.notEqual(engine.refuses(aRequest(over)), undefined, JSON.stringify(over));
          assert.throws(() => engine.launch(aRequest(over)));
        }
      }
    });

    it(`of ${engine.id} refuses instructions that are no argument`, () => {
      assert.notEqual(engine.refuses(aRequest({ instructions: 'x'.repeat(200_000) })), undefined);
      assert.notEqual(engine.refuses(aRequest({ instructions: 'a\0b' })), undefined);
    });

    it(`of ${engine.id} has the same options whatever the texts are`, () => {
      const base = { access: 'workspaceWrite', ...consent } as const;
      const usual = engine.launch(aRequest({ ...base, instructions: 'i' })).args;
      fc.assert(
        fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (prompt, instructions) => {
          const request = aRequest({ ...base, prompt, instructions });
          if (engine.refuses(request) !== undefined) return;
          const { args } = engine.launch(request);
          assert.equal(args.length, usual.length);
          const beforeText = (argv: readonly string[]) => flags(argv.slice(0, argv.includes('--') ? -1 : undefined));
          assert.deepEqual(beforeText(args), beforeText(usual));
        }),
      );
    });
  }
});
