import { readFileSync } from 'node:fs';
import * as z from 'zod';

const ms = z.number().nonnegative();

/** How a call fares and how its prompt looks. What a call leaves out is taken from the scenario's `defaults`. */
const mannerShape = {
  /** How long after the call became pending, or the one before it was answered, its prompt is painted; really 700 to 3800. */
  leadMs: ms,
  /** How long it runs once it is approved, with a live child process. It stays pending meanwhile. */
  runMs: ms,
  /**
   * Where the prompt shows its argument: below the question, or above it under a line. `decision`: as `above`, with a composer
   * `Waiting for decision (y/n/p)...` at the bottom. `unknown`: a prompt of a version that nobody has seen.
   */
  shape: z.enum(['above', 'below', 'decision', 'unknown']),
  /** Of the row that rejects: `Skip (esc or n)`, or with what follows since 2026.08; `bare` names no keys and marks no row. */
  wording: z.enum(['old', 'new', 'bare']),
  /** Whether rejecting asks for the reason first. Prompts that say so themselves (delete, MCP, mode switch) never do. */
  reasonBox: z.boolean(),
};

const callSchema = z.strictObject({
  /** Generated when left out: with a line feed in it, as the real ones have. */
  id: z.string().min(1).exactOptional(),
  toolName: z.string().default('Shell'),
  args: z.unknown().default({}),
  /** What the store calls the arguments. */
  argsName: z.enum(['args', 'input', 'arguments']).default('args'),
  /** It runs without a prompt; the marker is there as long as it runs. */
  autoRun: z.boolean().default(false),
  /** The row `Not in allowlist: …`. */
  notInAllowlist: z.string().exactOptional(),
  /** A hook asks for the approval: this stands in place of the question. */
  hook: z.string().exactOptional(),
  outsideSandbox: z.boolean().default(false),
  leadMs: mannerShape.leadMs.exactOptional(),
  runMs: mannerShape.runMs.exactOptional(),
  shape: mannerShape.shape.exactOptional(),
  wording: mannerShape.wording.exactOptional(),
  reasonBox: mannerShape.reasonBox.exactOptional(),
});

/** Something that happens while a batch waits, `afterMs` after its first prompt was painted (or after the calls became pending). */
const interruptSchema = z.strictObject({
  afterMs: ms.default(0),
  from: z.enum(['pending', 'prompt']).default('prompt'),
  /**
   * `crash`: the process ends with exit(1), `kill`: by SIGKILL, both with the call left pending. `withdraw`: the calls vanish
   * without a result. `replace`: so they do, and `calls` become pending instead. `runEverything`: it is switched on, which
   * approves what waits. `recommit`: the head is written anew with the same calls. `flicker`: they vanish from the store for
   * 0.12 s, the prompt staying where it is.
   */
  by: z.enum(['crash', 'kill', 'withdraw', 'replace', 'runEverything', 'recommit', 'flicker']),
  calls: z.array(callSchema).default([]),
});

const batchShape = {
  calls: z.array(callSchema).min(1),
  interrupt: interruptSchema.exactOptional(),
  /** `otherField`: the pending calls stand in another field of the head than the known one. */
  layout: z.enum(['known', 'otherField']).default('known'),
};

const stepSchema = z.discriminatedUnion('step', [
  /** The agent writes text. */
  z.strictObject({ step: z.literal('say'), text: z.string() }),
  /** The person has written this. */
  z.strictObject({ step: z.literal('user'), text: z.string() }),
  /** These rows appear in the transcript as they are, such as the rows of a prompt. */
  z.strictObject({ step: z.literal('quote'), rows: z.array(z.string()) }),
  /** A batch of calls: pending at once, prompted for one after the other. Over when the last one has finished. */
  z.strictObject({ step: z.literal('calls'), ...batchShape }),
  /** A sub-agent, with a chat of its own, makes these calls; their prompts appear in the same terminal. */
  z.strictObject({ step: z.literal('subagent'), typeName: z.string().default('generalPurpose'), ...batchShape }),
  /** As `/clear`: what follows belongs to a new chat. `keepOpen`: the process keeps the old store open. */
  z.strictObject({ step: z.literal('clear'), keepOpen: z.boolean().default(false) }),
  z.strictObject({ step: z.literal('toggleRunEverything') }),
  /** The question whether to trust the folder. */
  z.strictObject({ step: z.literal('trust') }),
  /** So many messages of so many bytes are added to the chat at once, to fill the log of the store. */
  z.strictObject({ step: z.literal('history'), messages: z.number().int(), bytes: z.number().int().default(4000) }),
  z.strictObject({ step: z.literal('waitMs'), ms }),
  /** Nothing goes on until some key is pressed; the agent looks idle. */
  z.strictObject({ step: z.literal('waitForKey') }),
  /** The process ends at once, with whatever it has left: exit(1), or SIGKILL. */
  z.strictObject({ step: z.literal('crash'), how: z.enum(['exit', 'kill']).default('kill') }),
  z.strictObject({ step: z.literal('exit'), code: z.number().int().default(0) }),
]);

export const scenarioSchema = z.strictObject({
  title: z.string().default('New Agent'),
  /** What `--version` prints. */
  version: z.string().default('2026.10.01-51a7ed0'),
  /** Run Everything is on from the start. */
  runEverything: z.boolean().default(false),
  approvalMode: z.string().exactOptional(),
  /** How the chat's description is stored. */
  metaForm: z.enum(['hex', 'plain', 'blob']).default('hex'),
  defaults: z
    .strictObject({
      leadMs: mannerShape.leadMs.default(700),
      runMs: mannerShape.runMs.default(0),
      shape: mannerShape.shape.default('above'),
      wording: mannerShape.wording.default('new'),
      reasonBox: mannerShape.reasonBox.default(true),
    })
    .prefault({}),
  /** Played at the start. */
  steps: z.array(stepSchema).default([]),
  /** Played one after the other, each for a message that the person sends while the agent is idle. */
  onPrompt: z.array(z.array(stepSchema)).default([]),
});

/** What the simulated agent does, as tests write it. */
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type Scenario = z.infer<typeof scenarioSchema>;
export type Step = z.infer<typeof stepSchema>;
export type Batch = Pick<Extract<Step, { step: 'calls' }>, 'calls' | 'layout'> & { interrupt?: Interrupt };
export type Interrupt = z.infer<typeof interruptSchema>;
type Defaults = Scenario['defaults'];

/** A call with everything decided. */
export type PlannedCall = Omit<z.infer<typeof callSchema>, 'id' | keyof Defaults> & Defaults & { id: string };

/** Reads a scenario file (JSON); without one, the agent answers each message with one request. Throws when it makes no sense. */
export function readScenario(file: string | undefined): Scenario {
  if (file === undefined) return scenarioSchema.parse(byHand);
  return scenarioSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** A call with the scenario's defaults for what it leaves out. */
export function planCall(call: z.infer<typeof callSchema>, defaults: Defaults, id: string): PlannedCall {
  return { ...defaults, ...call, id: call.id ?? id };
}

const byHand: ScenarioInput = {
  title: 'Simulated session',
  onPrompt: [
    [{ step: 'calls', calls: [{ args: { command: 'make deploy' }, runMs: 2000, notInAllowlist: 'make' }] }],
    [{ step: 'calls', calls: [{ toolName: 'Write', args: { path: 'notes.md', contents: '# Notes\n' } }] }],
    [
      {
        step: 'calls',
        calls: [
          {
            toolName: 'AskQuestion',
            args: { questions: [{ id: 'q', prompt: 'Which one?', options: [{ label: 'This' }, { label: 'That' }] }] },
          },
        ],
      },
    ],
  ],
};
