import assert from 'node:assert/strict';
import { said } from '../../../src/vscode/l10n.ts';

const bundle = {
  'Nothing was typed.': 'Es wurde nichts getippt.',
  'The agent has ended.': 'Der Agent ist beendet.',
  'Ask first. Then answer.': 'Erst fragen, dann antworten.',
  '{0} Nothing was started.': '{0} Nichts wurde gestartet.',
  '{0} is too old: it has no {1}. Run it.': 'Ohne {1} ist {0} zu alt. Starten Sie es.',
  '{0} is too old: it has no {1} and no {2}.': '{0} hat weder {1} noch {2}.',
  '{0} · {1}': '{1} / {0}',
  'What (a) [b] costs: ${0}?': 'Was (a) [b] kostet: ${0}?',
};
const german = { t: (text: string) => text, bundle };

describe('what another room said', () => {
  const table: [english: string, german: string][] = [
    ['Nothing was typed.', 'Es wurde nichts getippt.'],
    ['The agent has ended. Nothing was typed.', 'Der Agent ist beendet. Es wurde nichts getippt.'],
    ['The agent has ended.\n\nNothing was typed.', 'Der Agent ist beendet.\n\nEs wurde nichts getippt.'],
    ['Nobody knows this. Nothing was typed.', 'Nobody knows this. Es wurde nichts getippt.'],
    ['Ask first. Then answer. Nothing was typed.', 'Erst fragen, dann antworten. Es wurde nichts getippt.'],
    ['The agent has ended. Nothing was started.', 'Der Agent ist beendet. Nichts wurde gestartet.'],
    ['Grok 1.0 is too old: it has no --json. Run it.', 'Ohne --json ist Grok 1.0 zu alt. Starten Sie es.'],
    ['Grok is too old: it has no a and no b.', 'Grok hat weder a noch b.'],
    ['one · two', 'one · two'],
    ['What (a) [b] costs: $5?', 'Was (a) [b] kostet: $5?'],
    ['constructor', 'constructor'],
    ['', ''],
  ];
  for (const [english, expected] of table) {
    it(`is translated as far as it is known: ${JSON.stringify(english)}`, () => {
      assert.equal(said(english, german), expected);
    });
  }

  it('stays as it is where the editor speaks English', () => {
    assert.equal(said('Nothing was typed.', { t: (text) => text }), 'Nothing was typed.');
  });

  it('takes no longer for a long text that fits nothing', () => {
    const text = 'word '.repeat(20_000);
    assert.equal(said(text, german), text);
  });
});
