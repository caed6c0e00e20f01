import { createInterface } from 'node:readline/promises';

/** Whoever sits before the terminal. */
export interface Person {
  tell(text: string): void;
  /** What they typed before Enter, without space around it. Undefined when they are gone. */
  ask(question: string): Promise<string | undefined>;
}

/** The person at this process's terminal, until they are `gone` (Ctrl+C, Ctrl+D). */
export function personAtTerminal(gone: () => void): Person & { dispose(): void } {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new AbortController();
  lines.on('SIGINT', () => lines.close());
  lines.on('close', () => {
    closed.abort();
    gone();
  });
  return {
    tell: (text) => console.log(text),
    async ask(question) {
      const answer = await lines.question(question, { signal: closed.signal }).catch(() => undefined);
      return answer?.trim();
    },
    dispose: () => lines.close(),
  };
}
