import { oneLine, showHidden } from '../base/displayText.ts';
import { bound } from '../delegation/output.ts';
import type { RunResult } from '../delegation/task.ts';
import type { FileChange } from '../protocol/model.ts';
import { outputPages, outputUri } from './runOutput.ts';
import type { ToolResult } from './tool.ts';

/** What is known of a run that has ended, be it this moment or in another process long ago. */
export type Ending = Pick<RunResult, 'runId' | 'status' | 'reason' | 'text' | 'files' | 'notes' | 'handle'>;

const maxFiles = 40;
const maxNoteChars = 600;

/** The answer about a run that has ended, with what would act or hide in it shown: notes first, the conclusion, files changed, and the footer whatever was cut. */
export function resultOf(ending: Ending, maxChars: number): ToolResult {
  const failed = ending.status !== 'completed';
  const parts = [
    ending.notes.map((note) => `Note: ${oneLine(note, maxNoteChars)}`).join('\n'),
    `${headlineOf(ending)}${showHidden(ending.text.trim())}` || '(The worker gave no answer.)',
    filesChanged(ending.files),
  ];
  const whole = parts.filter((part) => part !== '').join('\n\n');
  const text = bound(whole, maxChars, footerOf(ending.handle), howToGet(ending, maxChars));
  return { text, ...(failed && { isError: true }) };
}

function howToGet({ runId, text }: Ending, maxChars: number): string {
  const pages = outputPages(text, maxChars).length;
  const which = pages === 1 ? '1 page' : `pages 1 to ${pages}`;
  return `read the resource ${outputUri(runId)} (${which}), or ask the same session for the part you need`;
}

/** The text of a cancelled run says so itself. */
function headlineOf({ status, reason }: Ending): string {
  if (status !== 'failed') return '';
  return `Failed${reason === undefined ? '' : ` (${reason})`}:\n`;
}

function filesChanged(files: readonly FileChange[]): string {
  if (files.length === 0) return '';
  const shown = files.slice(0, maxFiles).map(({ kind, path }) => `- ${kind} ${oneLine(path, 300)}`);
  if (files.length > maxFiles) shown.push(`- and ${files.length - maxFiles} more`);
  return [`Files changed (${files.length}):`, ...shown].join('\n');
}

/** The last lines of every answer about a worker: what `follow_up` takes. */
function footerOf(handle: string | undefined): string {
  return handle === undefined ? '' : `session_id: ${handle}\nTo ask this worker more: follow_up(session_id, question).`;
}

/** The answer to a caller that cannot wait longer: the run goes on. */
export function stillRunning(handle: string, step: string): ToolResult {
  return {
    text: [
      `Still running (${step}). The run goes on.`,
      '',
      `session_id: ${handle}`,
      'To wait for its result: follow_up(session_id), without a question.',
    ].join('\n'),
  };
}
