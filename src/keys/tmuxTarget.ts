import type { Key } from '../protocol/key.ts';
import type { ProcessStates } from '../process/processStates.ts';
import { type AgentProcess, lookOfAgent } from './agentLook.ts';
import { assertLiteral, utf8Pieces } from './literalText.ts';
import type { Input, KeyTarget, Look } from './target.ts';
import type { Tmux } from './tmux.ts';
import { openPane, paneFormat, readPane, type TmuxPane } from './tmuxPane.ts';

/** What `send-keys` calls the keys (tmux(1), KEY BINDINGS). Letters go as their bytes, which cannot mean anything else. */
const keyArguments: Record<Key, string> = {
  y: '-H 79',
  n: '-H 6e',
  Escape: 'Escape',
  Enter: 'Enter',
  Space: 'Space',
  Up: 'Up',
  Down: 'Down',
};

/** A message to a tmux server holds 16 KB; a byte takes three characters. */
const bytesPerCommand = 1000;
const refused = 'refused';

/** The agent in a pane of tmux. */
export function createTmuxTarget(options: {
  tmux: Tmux;
  states: ProcessStates;
  pane: TmuxPane;
  agent: AgentProcess;
}): KeyTarget {
  const { tmux, states, pane, agent } = options;
  return {
    id: ['tmux', pane.socket, pane.serverPid, pane.id, pane.pid, agent.pid, agent.startedAt].join(' '),
    title: `tmux ${pane.id}`,
    onDidChange: undefined,
    async look(signal) {
      const look = await lookAt(tmux, pane, signal);
      return lookOfAgent(look, agent, await states.of(agent.pid));
    },
    async send(input, signal) {
      let typed = false;
      for (const args of sendArguments(input)) {
        // When it has just ended, the shell behind it is in the foreground.
        const agentNow = lookOfAgent({ state: 'ready', rows: [] }, agent, await states.of(agent.pid));
        const why = agentNow.state === 'ready' ? await sendGuarded(tmux, pane, args, signal) : agentNow.why;
        if (why !== undefined) throw new Error(typed ? `${why} Only a part of the text was typed.` : why);
        typed = true;
      }
    },
  };
}

/** One command, so that what is said of the pane and its screen are of the same moment. */
async function lookAt(tmux: Tmux, pane: TmuxPane, signal: AbortSignal): Promise<Look> {
  const said = ['display-message', '-p', '-t', pane.id, paneFormat];
  const answer = await tmux(pane.socket, [...said, ';', 'capture-pane', '-p', '-J', '-t', pane.id], signal);
  if (answer.kind === 'gone') return { state: 'gone', why: answer.why };
  if (answer.kind === 'failed') return { state: 'unreadable', why: answer.why };
  const [line = '', ...rows] = answer.lines;
  return readPane(
    pane,
    line,
    rows.map((row) => row.trimEnd()),
  );
}

/** What follows `send-keys -t <pane>`, one command each: words of tmux's own and hexadecimal bytes alone. */
export function sendArguments(input: Input): string[] {
  if ('key' in input) return [keyArguments[input.key]];
  assertLiteral(input.text);
  return utf8Pieces(input.text, bytesPerCommand).map((piece) => `-H ${piece.toString('hex').match(/../g)?.join(' ')}`);
}

/**
 * The server itself checks the pane at the moment it types: what was looked at a moment ago may be in copy mode now, or be
 * another pane. Undefined when it has typed, else why not.
 */
async function sendGuarded(tmux: Tmux, pane: TmuxPane, args: string, signal: AbortSignal): Promise<string | undefined> {
  const condition = `#{==:${paneFormat},${openPane(pane)}}`;
  const then = `send-keys -t ${pane.id} ${args}`;
  const otherwise = `display-message -p ${refused}`;
  const answer = await tmux(pane.socket, ['if-shell', '-F', '-t', pane.id, condition, then, otherwise], signal);
  if (answer.kind !== 'said') return answer.why;
  if (!answer.lines.includes(refused)) return undefined;
  return 'The tmux pane took no key: it is in copy mode, closed, or another one now.';
}
