import assert from 'node:assert/strict';
import { readPersona } from '../../../../src/delegation/personas/personaText.ts';

describe('readPersona', () => {
  it('parts what names and describes from what a worker is told', () => {
    const text =
      '---\nname: reviewer\ndescription: Reads.\ntools: Read, Bash\nmodel: opus\n---\n\n# You review\n\n---\nNo mercy.\n';
    assert.deepEqual(readPersona(text), {
      name: 'reviewer',
      description: 'Reads.',
      body: '# You review\n\n---\nNo mercy.',
    });
    assert.deepEqual(readPersona(text.replaceAll('\n', '\r\n')).name, 'reviewer');
    assert.deepEqual(readPersona('\uFEFF---\nname: b\n---').body, '');
    assert.deepEqual(readPersona('You review.'), { body: 'You review.' });
  });

  it('knows the name beside a description that is no valid YAML', () => {
    const description = 'Use it when: asked. Examples: <example>Context: user: "Do: it" {[\\n</example>';
    const { name, body } = readPersona(`---\nname: pit\ndescription: ${description}\ncolor: red\n---\nDig.`);
    assert.deepEqual([name, body], ['pit', 'Dig.']);
  });

  it('takes no name that is no text, and fails on nothing', () => {
    const fronts = [
      'name: [a, b]',
      'name: {a: b}',
      'name: &x a\nother: *x\nname: *x',
      'name:',
      '- a',
      'text',
      '',
      '"',
      `name: ${'['.repeat(15_000)}`,
      `name: ${'! '.repeat(15_000)}`,
      `name: "${'x'.repeat(30_000)}`,
      '\0',
    ];
    for (const front of fronts) {
      const { name, body } = readPersona(`---\n${front}\n---\nDig.`);
      assert.ok(name === undefined || name.length < 200, front.slice(0, 40));
      assert.equal(body, 'Dig.', front.slice(0, 40));
    }
  });

  it('reads text as YAML has it', () => {
    const head = (front: string) => {
      const { name, description } = readPersona(`---\n${front}\n---\nx`);
      return [name, description];
    };
    assert.deepEqual(head('name: 123\ndescription: >\n  two\n  lines\ntools: x'), ['123', 'two lines']);
    assert.deepEqual(head('# name: no\nname : "a b" # yes\nrenamed: c\nmap:\n  description: no'), ['a b', undefined]);
    assert.deepEqual(head(`name: a\ndescription: ${'word '.repeat(1_000)}`)[0], 'a');
  });

  it('hands nobody front matter that never ends', () => {
    assert.equal(readPersona('---\nname: a\napi_key: b\n').body, '');
  });
});
