import type { ViewTexts } from '../../protocol/panel.ts';
import type { L10n } from './l10nTexts.ts';

/** The Waiting view's own texts. `{0}` is filled in by the view. */
export function viewTexts(l10n: L10n): ViewTexts {
  return {
    viewName: l10n.t('Waiting'),
    approve: l10n.t('Approve'),
    reject: l10n.t('Reject'),
    withReason: l10n.t('With reason'),
    rejectWithReason: l10n.t('Reject with Reason'),
    reason: l10n.t('Reason'),
    reasonHint: l10n.t('Tell the agent what to do instead'),
    cancel: l10n.t('Cancel'),
    answer: l10n.t('Answer'),
    skip: l10n.t('Skip'),
    other: l10n.t('Other'),
    otherHint: l10n.t('Type an answer'),
    nothingToAnswer: l10n.t('This form has nothing that can be answered. It can be skipped.'),
    answerAll: l10n.t('Answer every question, or skip the form.'),
    openDiff: l10n.t('Open Diff'),
    allFields: l10n.t('All fields'),
    showTerminal: l10n.t('Show Terminal'),
    reopen: l10n.t('Reopen in Sallyport'),
    tryAgain: l10n.t('Try Again'),
    sendAnyway: l10n.t('Send Anyway…'),
    sendAnywayQuestion: l10n.t(
      'Its prompt was not recognised. The keys will go to whatever is on this screen. Send them only if you see the right prompt above.',
    ),
    sendAnywayConfirm: l10n.t('Send the Keys'),
    screenName: l10n.t('The last lines of the terminal'),
    answerDifferently: l10n.t('Answer differently'),
    readToEnd: l10n.t('Scroll to the end to approve.'),
    mayBeWaiting: l10n.t('May be waiting'),
    mayBeWaitingHelp: l10n.t(
      'The call is not over, but whether it waits for you or is already running can only be told from its screen. It is not counted, and cannot be answered from here.',
    ),
    why: l10n.t('Why?'),
    answered: l10n.t('Answered'),
    showAll: l10n.t('Show all {0}'),
    showFewer: l10n.t('Show fewer'),
    seconds: l10n.t('{0} s'),
    minutes: l10n.t('{0} min'),
    hours: l10n.t('{0} h'),
    days: l10n.t('{0} d'),
    runningFor: l10n.t('running {0}'),
    newRequest: l10n.t('{0} waits: {1}'),
    notWhole: l10n.t('It is too long to be shown whole here, so it cannot be approved from here.'),
    chooseSome: l10n.t('Choose any number'),
    startAgent: l10n.t('Start Cursor Agent'),
    manageTrust: l10n.t('Manage Workspace Trust'),
    showLog: l10n.t('Show Log'),
  };
}
