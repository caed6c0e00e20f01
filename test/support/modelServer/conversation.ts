/** The APIs the server speaks. */
export type Dialect = 'responses' | 'chat' | 'messages';

/** What a request tells about the conversation so far, the same for every dialect. */
export interface Conversation {
  readonly dialect: Dialect;
  readonly model: string;
  readonly streamed: boolean;
  /** Names of the tools that the client offers. */
  readonly tools: readonly string[];
  /** Text of the last user turn, with what the client put around it. */
  readonly prompt: string;
  /** User turns; user messages in a row are one, because clients put their context into messages of its own. */
  readonly userTurns: number;
  /** Tool results since the last user turn. */
  readonly toolResults: number;
  readonly lastToolOutput: string;
  /**
   * A side question of the client (a title, a status line), to be answered in words: it offers no tools, or ends in a
   * reminder of the client instead of a word of the user (as Grok asks for its status line after every turn).
   */
  readonly aside: boolean;
  /** The workspace as the client states it in its prompt, for tools that take absolute paths only. */
  readonly workspace: string | undefined;
}

/** One entry of a request's history, reduced to what matters here. */
export type HistoryEntry =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'toolResult'; readonly text: string }
  | { readonly kind: 'assistant' };

/** What a client wraps into a reminder is its own context and no turn of the user. */
function isReminder(text: string): boolean {
  return /^\s*<system-reminder>[^]*<\/system-reminder>\s*$/.test(text);
}

/** Counts turns and steps of a history. */
export function readHistory(
  entries: readonly HistoryEntry[],
  tools: readonly string[],
): Pick<Conversation, 'prompt' | 'userTurns' | 'toolResults' | 'lastToolOutput' | 'aside' | 'tools'> {
  let prompt = '';
  let userTurns = 0;
  let toolResults = 0;
  let lastToolOutput = '';
  let previous: HistoryEntry['kind'] | undefined;
  let endsInReminder = false;
  for (const entry of entries) {
    endsInReminder = entry.kind === 'user' && isReminder(entry.text);
    if (endsInReminder) continue;
    if (entry.kind === 'user') {
      prompt = previous === 'user' ? `${prompt}\n${entry.text}` : entry.text;
      if (previous !== 'user') userTurns += 1;
      toolResults = 0;
      lastToolOutput = '';
    } else if (entry.kind === 'toolResult') {
      toolResults += 1;
      lastToolOutput = entry.text;
    }
    previous = entry.kind;
  }
  return { prompt, userTurns, toolResults, lastToolOutput, tools, aside: endsInReminder || tools.length === 0 };
}

/** Finds the working directory in a client's own words: Codex `<cwd>`, Claude and Grok `... working directory: /x`. */
export function findWorkspace(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const found = /<cwd>([^<]+)<\/cwd>|(?:working directory|workspace path)[^:\n]*:\s*`?([^`\n]+)/i.exec(text);
    const path = found?.[1] ?? found?.[2];
    if (path !== undefined) return path.trim();
  }
  return undefined;
}
