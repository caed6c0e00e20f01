import { lintSource } from '@secretlint/core';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { Span } from './span.ts';

/**
 * The recommended rules one by one rather than as a preset, for a preset's rules cannot be switched off, and one must be:
 * with it a comment (`secretlint-disable`) in the text would end the search.
 */
const scanners = rules
  .filter((rule) => rule.meta.id !== '@secretlint/secretlint-rule-filter-comments')
  .map((rule) => ({ id: rule.meta.id, rule }));

const addressRules = new Set(['basicauth', 'database-connection-string']);

/**
 * Finds secrets with secretlint. Findings whose kind is `address` cover a whole URL. Some rules report a range that
 * starts at the label and has the length of the value, so the value that the finding quotes is looked up and preferred.
 */
export async function lint(text: string): Promise<Span[]> {
  const result = await lintSource({
    source: { filePath: 'text.txt', content: text, ext: '.txt', contentType: 'text' },
    options: { noPhysicFilePath: true, config: { rules: scanners } },
  });
  return result.messages.flatMap(({ ruleId, range, data }) => {
    const name = ruleId.replace('@secretlint/secretlint-rule-', '');
    const kind = addressRules.has(name) ? 'address' : `${name} secret`;
    const [start, end] = range;
    const quoted = Object.values(data ?? {}).flatMap((value: unknown) => {
      if (typeof value !== 'string' || value.length < 8) return [];
      const at = text.indexOf(value, start);
      return at === -1 || at > end ? [] : [{ start: at, end: at + value.length, kind }];
    });
    return quoted.length > 0 ? quoted : [{ start, end, kind }];
  });
}
