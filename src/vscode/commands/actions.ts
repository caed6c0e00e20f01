import { delegateAtLevel, delegateTo } from './delegate.ts';
import { followUp } from './followUp.ts';
import type { CommandAction, CommandId } from './register.ts';
import { cancelRun, copyHandle, openResult, showChanges } from './runCommands.ts';

/** What each command does. */
export const actions: Readonly<Record<CommandId, CommandAction>> = {
  delegateToCodex: (services) => delegateTo(services, 'codex'),
  delegateToGrok: (services) => delegateTo(services, 'grok'),
  delegateToClaude: (services) => delegateTo(services, 'claude'),
  delegateToCursor: (services) => delegateTo(services, 'cursor'),
  delegate: delegateAtLevel,
  followUp,
  cancelRun,
  openResult,
  showChanges,
  copyHandle,
  refreshRuns: (services) => services.refreshRuns(),
  withdrawConsent: (services) => services.consent.withdraw(),
  showLog: (services) => services.log.show(),
};
