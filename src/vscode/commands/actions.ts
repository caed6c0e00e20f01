import { resumeAgent, showAgentTerminal } from '../agents/agentCommands.ts';
import { noFilter } from '../runs/runFilter.ts';
import { openSettings } from '../openSettings.ts';
import type { CommandAction, CommandId } from './commandIds.ts';
import { delegateAtLevel, delegateTo } from './delegate.ts';
import { delegateAgain } from './delegateAgain.ts';
import { followUp } from './followUp.ts';
import { revertRun } from './revertRun.ts';
import {
  cancelRun,
  copyHandle,
  filterRuns,
  openResult,
  showChanges,
  showRendered,
  showTranscript,
} from './runCommands.ts';
import { endSnooze, showWaiting, snooze, walkQueue } from './waitingCommands.ts';
import { inspectChatStore, startCursorAgent } from './terminalCommands.ts';

/** What each command does. */
export const actions: Readonly<Record<CommandId, CommandAction>> = {
  delegateToCodex: (services, target) => delegateTo(services, 'codex', target),
  delegateToGrok: (services, target) => delegateTo(services, 'grok', target),
  delegateToClaude: (services, target) => delegateTo(services, 'claude', target),
  delegateToCursor: (services, target) => delegateTo(services, 'cursor', target),
  delegate: delegateAtLevel,
  startCursorAgent,
  showWaiting,
  answerNext: walkQueue,
  snooze,
  endSnooze,
  showAgentTerminal,
  resumeAgent,
  followUp,
  cancelRun,
  openResult,
  showChanges,
  revertRun,
  delegateAgain,
  showRendered,
  showTranscript,
  copyHandle,
  refreshRuns: ({ runs }) => runs.refresh(),
  filterRuns,
  clearRunsFilter: ({ runs }) => {
    runs.filter = noFilter;
  },
  openSettings: () => openSettings(''),
  withdrawConsent: (services) => services.consent.withdraw(),
  inspectChatStore,
  showLog: (services) => services.log.show(),
  addToClient: async (services) => (await services.clients()).add(),
  removeFromClient: async (services) => (await services.clients()).remove(),
  installClaudeHook: async (services) => (await services.clients()).installHook(),
  removeClaudeHook: async (services) => (await services.clients()).removeHook(),
  checkSetup: (services) => services.checkSetup(),
};
