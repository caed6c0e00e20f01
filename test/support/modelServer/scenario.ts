/** Text of a scenario: literal, or one line repeated (so that megabytes need not stand in the table). */
export type ScenarioText = string | { readonly repeat: string; readonly times: number };

/**
 * What the model asks its client to do. Each dialect turns it into the tool that its client offers.
 * Paths are relative to the workspace. `before` and `after` of a replacement are whole lines without their line end,
 * because Codex patches work by line.
 */
export type ToolCall =
  | { readonly kind: 'shell'; readonly command: string; readonly background?: boolean }
  /** `lines`: the first and the last one wanted, from 1. All when left out. */
  | { readonly kind: 'read'; readonly path: string; readonly lines?: readonly [first: number, last: number] }
  /** An extended regular expression, in a file or in all files of a folder. The first 80 matches are wanted. */
  | { readonly kind: 'search'; readonly pattern: string; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'replace'; readonly path: string; readonly before: string; readonly after: string }
  /** `from` is a picture to work from. */
  | { readonly kind: 'picture'; readonly prompt: string; readonly from?: string }
  | { readonly kind: 'ask'; readonly question: string; readonly options: readonly string[] };

/**
 * One model response, in this order: reasoning, text, at most one tool call. `breaks` spoils the stream after its
 * first part: `cut` closes the connection, `stall` keeps it open and silent.
 */
export interface Step {
  readonly think?: ScenarioText;
  /** May hold `{{userTurns}}`, `{{prompt}}` and `{{lastToolOutput}}`. */
  readonly say?: ScenarioText;
  readonly call?: ToolCall;
  readonly breaks?: 'cut' | 'stall';
}

/** An HTTP refusal by name; failures.ts gives each dialect's wording of it. */
export type FailureName =
  | 'badRequest'
  | 'unauthorized'
  | 'forbidden'
  | 'unknownModel'
  | 'rateLimited'
  | 'usageLimit'
  | 'quota'
  | 'serverError'
  | 'overloaded';

/**
 * What the model does with every request that names this scenario. The step is the number of tool results after the
 * last user message; past the last step the last one is repeated.
 */
export type Scenario =
  | { readonly about: string; readonly steps: readonly [Step, ...Step[]] }
  | { readonly about: string; readonly failure: FailureName }
  | { readonly about: string; readonly silent: true };

/** The step of `steps` that answers a request with `toolResults` results since the last user message. */
export function stepAt(steps: readonly [Step, ...Step[]], toolResults: number): Step {
  return steps[Math.min(toolResults, steps.length - 1)] ?? steps[0];
}

/** Writes out a scenario's text with its `{{name}}` places filled from `values`; an unknown name stays as it is. */
export function renderText(text: ScenarioText, values: Readonly<Record<string, string | number>>): string {
  if (typeof text !== 'string') return text.repeat.repeat(text.times);
  return text.replace(/\{\{(\w+)\}\}/g, (place, name: string) => {
    const value = values[name];
    return value === undefined ? place : String(value);
  });
}
