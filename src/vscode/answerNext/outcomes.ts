import { type L10n, said } from '../l10n.ts';
import { attentionText } from '../waiting/attentionTexts.ts';
import { plain } from './rowText.ts';
import type { Fate, Given } from './walk.ts';

type Fates = readonly { given: Given; fate: Fate }[];

const icons: Readonly<Record<Fate['kind'], string>> = {
  sending: '$(sync) ',
  arrived: '$(pass) ',
  failed: '$(error) ',
  ended: '$(arrow-swap) ',
};

/** What became of all answers, in one line; empty while there are none. The last one that failed says why. */
export function outcomeLine(fates: Fates, l10n: L10n): string {
  const count = (kind: Fate['kind']) => fates.filter(({ fate }) => fate.kind === kind).length;
  const failed = fates.flatMap(({ fate }) =>
    fate.kind === 'failed' && fate.why !== undefined ? [said(fate.why, l10n)] : [],
  );
  const parts: [number, string][] = [
    [count('arrived'), l10n.t('{0} accepted', count('arrived'))],
    [count('sending'), l10n.t('{0} on the way', count('sending'))],
    [count('failed'), l10n.t('{0} not delivered', count('failed'))],
    [count('ended'), l10n.t('{0} over before', count('ended'))],
  ];
  const counts = parts.flatMap(([number, text]) => (number > 0 ? [text] : []));
  return [...counts, ...failed.slice(-1)].join(' · ');
}

/** One row for each answer, newest first. */
export function outcomeRows(fates: Fates, l10n: L10n): string[] {
  return fates
    .map(({ given: { request }, fate }) => {
      const why = fate.kind === 'failed' && fate.why !== undefined ? ` · ${said(fate.why, l10n)}` : '';
      return `${icons[fate.kind]}${plain(`${attentionText(request, l10n)}${why}`)}`;
    })
    .reverse();
}
