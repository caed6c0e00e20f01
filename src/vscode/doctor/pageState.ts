import { showHidden } from '../../base/displayText.ts';
import type { SetupPageState, SetupRow } from '../../protocol/setupPage.ts';
import { type L10n, said } from '../l10n.ts';
import type { Check } from './check.ts';
import type { Finding } from './finding.ts';

/** Everything the page shows. Pure. */
export interface PageInput {
  checks: readonly Pick<Check, 'id' | 'title' | 'group'>[];
  /** By the id of the check, the last ones; none before the first look is over. */
  findings: ReadonlyMap<string, Finding>;
  /** The ids of those that are being looked at. */
  pending: ReadonlySet<string>;
  about: string;
  isTrusted: boolean;
  done: string | undefined;
}

/** What is found about an agent by itself is not all: one that works is enough, and then the others need not be there. */
export function judged({ checks, findings }: Pick<PageInput, 'checks' | 'findings'>): Map<string, Finding> {
  const agents = checks.filter(({ group }) => group === 'agents').map(({ id }) => findings.get(id));
  const oneWorks = agents.some(isUsable);
  const isAgent = new Map(checks.map(({ id, group }) => [id, group === 'agents']));
  return new Map(
    [...findings].map(([id, finding]) => {
      const needless = oneWorks && isAgent.get(id) === true && finding.absent === true;
      return [id, needless ? { ...finding, state: 'optional' } : finding];
    }),
  );
}

/** Whether something can be delegated to an agent. */
export function isUsable(finding: Finding | undefined): boolean {
  return finding?.state === 'ok' || finding?.state === 'warning';
}

export function pageState(input: PageInput, l10n: L10n): SetupPageState {
  const { checks, about, isTrusted, done } = input;
  const findings = judged(input);
  const groups = (['agents', 'machine', 'sallyport'] as const).map((group) => ({
    title: groupTitle(group, l10n),
    rows: checks
      .filter((check) => check.group === group)
      .map(({ id, title }) => rowOf({ id, title, isPending: input.pending.has(id) }, findings.get(id), l10n)),
  }));
  return {
    type: 'state',
    texts: {
      title: l10n.t('Sallyport Setup'),
      checkAgain: l10n.t('Check Again'),
      copy: l10n.t('Copy as Text'),
      checkThisAgain: l10n.t('Check {0} again'),
      commandName: l10n.t('Command'),
    },
    about: showHidden(about),
    summary: summaryOf(input, findings, l10n),
    ...(!isTrusted && {
      notice: {
        text: l10n.t(
          'This workspace is in Restricted Mode, in which Sallyport starts nothing. What would have to be started is not checked.',
        ),
        button: l10n.t('Manage Workspace Trust'),
      },
    }),
    groups,
    ...(done !== undefined && { done }),
  };
}

/** The title of a group of lines. */
export function groupTitle(group: Check['group'], l10n: L10n): string {
  switch (group) {
    case 'agents':
      return l10n.t('Agents');
    case 'machine':
      return l10n.t('This machine');
    case 'sallyport':
      return l10n.t('Sallyport');
  }
}

interface RowHead {
  id: string;
  title: string;
  isPending: boolean;
}

/** While it is looked at again, what was found before stays. */
function rowOf({ id, title, isPending }: RowHead, finding: Finding | undefined, l10n: L10n): SetupRow {
  const checking = { state: 'checking', verdict: l10n.t('Checking…') } as const;
  if (!finding) return { id, title, ...checking, found: [], buttons: [] };
  const { state, verdict, found, account, advice, remedies } = finding;
  const who = account === undefined ? [] : [l10n.t('Account: {0}', account)];
  const [first] = remedies;
  return {
    id,
    title,
    ...(isPending ? checking : { state, verdict }),
    found: [...found, ...who].map((line) => showHidden(said(line, l10n))),
    ...(advice !== undefined && { advice: showHidden(advice) }),
    ...(first?.kind === 'terminal' && { command: showHidden(first.command) }),
    buttons: remedies.map(({ label }) => label),
  };
}

const toLookAt: readonly (Finding['state'] | undefined)[] = ['missing', 'unknown'];

function summaryOf(
  { checks, isTrusted, pending }: PageInput,
  findings: ReadonlyMap<string, Finding>,
  l10n: L10n,
): SetupPageState['summary'] {
  const left = checks.filter(({ id }) => pending.has(id) || !findings.has(id));
  if (left.length > 0)
    return { tone: 'busy', text: l10n.t('Checking: {0}', left.map(({ title }) => title).join(', ')) };
  if (!isTrusted) return { tone: 'bad', text: l10n.t('Not everything could be checked.') };
  const usable = checks.filter(({ id, group }) => group === 'agents' && isUsable(findings.get(id)));
  const missing = checks.filter(({ id }) => toLookAt.includes(findings.get(id)?.state));
  if (usable.length === 0) return { tone: 'bad', text: noneReady(checks, findings, l10n) };
  const names = usable.map(({ title }) => title).join(', ');
  if (missing.length === 0) return { tone: 'good', text: l10n.t('Ready: {0}', names) };
  const problems = missing.map(({ title }) => title).join(', ');
  return { tone: 'bad', text: l10n.t('Ready: {0}. To look at: {1}', names, problems) };
}

/** One that is there lacks the least. */
function noneReady(checks: PageInput['checks'], findings: ReadonlyMap<string, Finding>, l10n: L10n): string {
  const there = checks.flatMap(({ id, title, group }) => {
    const finding = findings.get(id);
    return group === 'agents' && finding && finding.absent !== true ? [`${title}: ${finding.verdict}`] : [];
  });
  if (there.length === 0) return l10n.t('No agent is ready. Install one and sign in to it.');
  return l10n.t('No agent is ready. {0}', there.join('. '));
}
