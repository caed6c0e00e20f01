import { showHidden } from '../../base/displayText.ts';
import type { L10n } from '../l10n.ts';
import { groupTitle, judged, type PageInput } from './pageState.ts';

/**
 * The page as text for a bug report: Markdown, without accounts, and with `~` for the person's home folder.
 * @param home Absolute.
 */
export function reportText(input: PageInput, home: string, l10n: L10n): string {
  const findings = judged(input);
  const lines = ['### Sallyport', input.about];
  for (const group of ['agents', 'machine', 'sallyport'] as const) {
    lines.push('', `#### ${groupTitle(group, l10n)}`);
    for (const { id, title } of input.checks.filter((check) => check.group === group)) {
      const finding = findings.get(id);
      lines.push(`- ${title}: ${finding?.verdict ?? l10n.t('Checking…')} [${finding?.state ?? 'checking'}]`);
      lines.push(...(finding?.found ?? []).map((line) => `  - ${line.replace(/\s+/g, ' ')}`));
    }
  }
  const text = showHidden(`${lines.join('\n')}\n`);
  return home.length > 1 ? text.replaceAll(home, '~') : text;
}
