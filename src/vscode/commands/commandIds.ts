import type { Services } from '../services.ts';

/** Every command of the manifest, without its `sallyport.` */
export const commandIds = [
  'delegateToCodex',
  'delegateToGrok',
  'delegateToClaude',
  'delegateToCursor',
  'delegate',
  'startCursorAgent',
  'showWaiting',
  'answerNext',
  'snooze',
  'endSnooze',
  'showAgentTerminal',
  'resumeAgent',
  'followUp',
  'cancelRun',
  'openResult',
  'showChanges',
  'revertRun',
  'delegateAgain',
  'showRendered',
  'showTranscript',
  'copyHandle',
  'openSettings',
  'refreshRuns',
  'filterRuns',
  'clearRunsFilter',
  'withdrawConsent',
  'inspectChatStore',
  'showLog',
  'addToClient',
  'removeFromClient',
  'installClaudeHook',
  'removeClaudeHook',
  'checkSetup',
] as const;
export type CommandId = (typeof commandIds)[number];

/** `target` is what the editor passes: a row of the Runs view, a document's address, or nothing from the palette. */
export type CommandAction = (services: Services, target: unknown) => unknown;
