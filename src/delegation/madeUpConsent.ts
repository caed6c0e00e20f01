/** What a person can be asked about, as the CLIs and their models call it. */
const asked =
  '(?:commands?|tools?(?: use| call)?|edits?|patch(?:es)?|changes?|questions?|permissions?(?: requests?)?|requests?|approvals?|prompts?)';
const decided = '(?:reject|den[iy]|declin|cancel|skip|dismiss|refus|ignor|approv|grant|allow|confirm|accept)\\w*';

/**
 * How an answer tells of a decision of a person. The first two are what CLIs write themselves: Cursor's "Questions skipped
 * by the user", Codex's "patch rejected: …; rejected by user approval settings" (0.171), Claude Code's "The user doesn't
 * want to proceed with this tool use" (2.1).
 */
const claims: readonly RegExp[] = [
  /questions? (?:was |were )?skipped by (?:the )?user|rejected by user approval settings/i,
  /the user (?:doesn['’]t want to (?:proceed|take this action)|did not answer (?:the|my) questions?)/i,
  new RegExp(`\\b${asked}\\b(?: \\w+){0,2} ${decided} by (?:the|my) user\\b`, 'i'),
  new RegExp(`\\bthe user (?:has |had )?${decided} (?:the|this|that|my) (?:\\w+ )?${asked}\\b`, 'i'),
];

/**
 * The warning for an answer that tells of a person's decision, or undefined. Nobody can be asked while a worker runs, so
 * where it speaks of the run itself, a CLI or its model made it up. `answer` is redacted: its words are quoted.
 */
export function madeUpConsent(answer: string): string | undefined {
  const claim = claims.map((pattern) => pattern.exec(answer)?.[0]).find((words) => words !== undefined);
  if (claim === undefined) return undefined;
  return `The answer tells of a decision of the user (“${claim}”), but nobody was asked during this run. Where that is about the run itself, the agent or its CLI made it up: take it for nobody's consent or refusal.`;
}
