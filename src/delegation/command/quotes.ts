import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** A line of an answer that claims to be line `number` (from 1) of the log. */
interface Claim {
  number: number;
  text: string;
}

/** An answer with its quotes as the log has them. Counts are lines of the answer. */
export interface CheckedQuotes {
  text: string;
  renumbered: number;
  dropped: number;
}

/** What is said without a form is the agent's own word; `123: text` is a quote. */
const quote = /^\s*(?:[-*] )?`?(\d{1,9}): ?(.*?)`?$/;
/** Long lines are quoted with their beginning only; what is shorter could be anything. */
const minBeginning = 20;
/** The most of a line that anybody quotes. */
const maxQuoted = 500;

/**
 * Checks the quotes of an answer against the log: one with a wrong number gets the right one, if only one line reads so, and
 * one that is nowhere is dropped. The log is read once, line by line.
 */
export async function checkQuotes(answer: string, file: string): Promise<CheckedQuotes> {
  const lines = answer.split('\n').map((line) => ({ line, claim: claimOf(line) }));
  const claims = lines.flatMap(({ claim }) => claim ?? []);
  if (claims.length === 0) return { text: answer, renumbered: 0, dropped: 0 };
  const found = await lookUp(claims, file);
  let renumbered = 0;
  let dropped = 0;
  const kept = lines.flatMap(({ line, claim }) => {
    if (!claim) return [line];
    const number = found(claim);
    if (number === undefined) dropped++;
    else if (number !== claim.number) renumbered++;
    return number === undefined ? [] : [`${number}: ${claim.text}`];
  });
  return { text: kept.join('\n').trim(), renumbered, dropped };
}

function claimOf(line: string): Claim | undefined {
  const [, number, text = ''] = quote.exec(line) ?? [];
  return number === undefined ? undefined : { number: Number(number), text };
}

/** Finds the line that each claim is about. */
async function lookUp(claims: readonly Claim[], file: string): Promise<(claim: Claim) => number | undefined> {
  const texts = new Set(claims.map(({ text }) => squeeze(text)));
  const beginnings = [...texts].map(beginningOf).filter((text) => text !== undefined);
  const numbers = new Set(claims.map(({ number }) => number));
  const places = new Map<string, number[]>();
  const named = new Map<number, string>();
  let number = 0;
  for await (const raw of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    const line = squeeze(raw);
    if (numbers.has(number)) named.set(number, line);
    const reads = texts.has(line) ? line : beginnings.find((beginning) => line.startsWith(beginning));
    if (reads !== undefined) places.set(reads, [...(places.get(reads) ?? []), number].slice(0, 2));
  }
  return ({ number: claimed, text }) => {
    const said = squeeze(text);
    const beginning = beginningOf(said);
    const there = named.get(claimed);
    if (there === said || (beginning !== undefined && there?.startsWith(beginning))) return claimed;
    const [only, ...more] = places.get(said) ?? places.get(beginning ?? '') ?? [];
    return more.length === 0 ? only : undefined;
  };
}

function beginningOf(said: string): string | undefined {
  const beginning = said.replace(/\s*(?:…|\.\.\.)$/, '');
  return beginning.length >= minBeginning ? beginning : undefined;
}

const squeeze = (text: string) => text.slice(0, maxQuoted).replace(/\s+/g, ' ').trim();
