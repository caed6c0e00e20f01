export const modes = ['ask', 'plan'] as const;
export type Mode = (typeof modes)[number];

/** What a narrowed follow-up asks for, said after the question: the access alone would not tell the worker. */
const requests: Record<Mode, string> = {
  ask: 'Answer this; change no file.',
  plan: 'Answer with a plan: the steps in order, each with the paths it touches and how to check it. Change no file.',
};

export function followUpPrompt(question: string, mode: Mode | undefined): string {
  return mode === undefined ? question : `${question}\n\n${requests[mode]}`;
}
