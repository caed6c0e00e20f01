import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRedactor, RedactionFailed, type Redactor } from '../../../src/delegation/redact.ts';
import { secretsOf } from '../../../src/delegation/secrets/known.ts';
import { FakeClock } from '../../support/fakes/clock.ts';
import { secretCases } from './secretCorpus.ts';

const workerFile = fileURLToPath(new URL('../../../src/delegation/redactWorker.ts', import.meta.url));
const corpus = (name: string) => readFileSync(new URL(`../../fixtures/secrets/${name}`, import.meta.url), 'utf8');
const cases = secretCases(corpus('secret.txt'));
const anyMark = /\[redacted: [^\]]*\]/g;
const knownValue = 'p4ss"w\\ord/übung&co';
const token = `ghp_${'aB3dEfG7hI'.repeat(4).slice(0, 36)}`;
const keyBody = Array.from(
  { length: 50 },
  (_, index) => `MII${String(index).padStart(3, '0')}${'Ab3+/dEfG7'.repeat(6).slice(0, 58)}`,
).join('\n');
const privateKey = `-----BEGIN RSA PRIVATE KEY-----\n${keyBody}\n-----END RSA PRIVATE KEY-----`;
const plainLine = 'const x = getValue(foo); // commit 3f786850e387550fdab836ed7e6dc881de23001b, token: string\n';

describe('redaction', () => {
  let redactor: Redactor;
  before(() => {
    redactor = createRedactor({ workerFile, known: () => [knownValue] });
  });
  after(() => redactor.dispose());
  const redacted = async (text: string) => (await redactor.redact(text)).text;

  it('takes out what became known while it was at work, and still what was known before', async () => {
    let known: readonly string[] = ['first-value-1'];
    const changing = createRedactor({ workerFile, known: () => known });
    try {
      const text = 'a first-value-1 b second-value-2';
      assert.doesNotMatch((await changing.redact(text)).text, /first-value/);
      known = ['second-value-2'];
      for (const result of [(await changing.redact(text)).text, changing.quick(text)]) {
        assert.doesNotMatch(result, /first-value|second-value/);
      }
    } finally {
      changing.dispose();
    }
  });

  describe('over the corpus', () => {
    it('takes out every secret and nothing else', async () => {
      assert.ok(cases.length > 60);
      for (const { text, expected } of cases) assert.equal((await redacted(text)).replace(anyMark, '[*]'), expected);
    });

    it('leaves harmless text as it is', async () => {
      for (const line of corpus('harmless.txt').split('\n')) assert.equal(await redacted(line), line);
    });

    it('finds everything in one text too, and nothing new in its own result', async () => {
      const text = cases.map((one) => one.text).join('\n');
      const once = await redactor.redact(text);
      for (const { secrets } of cases) {
        for (const secret of secrets.filter((value) => value.length > 12))
          assert.ok(!once.text.includes(secret), secret);
      }
      assert.equal(await redacted(once.text), once.text);
    });

    it('finds everything behind one and two layers of JSON', async () => {
      const layers = [JSON.stringify, (text: string) => JSON.stringify(JSON.stringify({ text }))];
      for (const layer of layers) {
        for (const { text, secrets } of cases) {
          const result = await redacted(layer(text));
          for (const secret of secrets.filter((value) => value.length > 6))
            assert.ok(!result.includes(secret), `${text}: ${result}`);
        }
      }
    });
  });

  it('names and counts what it took out', async () => {
    const { text, found } = await redactor.redact(`a ${token} b ${token} c password=hunter2`);
    assert.equal(text, 'a [redacted: GitHub token] b [redacted: GitHub token] c password=[redacted: password]');
    assert.deepEqual(found, [
      { rule: 'GitHub token', count: 2 },
      { rule: 'password', count: 1 },
    ]);
  });

  it('obeys no comment that would switch the search off', async () => {
    const text = await redacted(
      `// secretlint-disable\n/* secretlint-disable-line */ glsa_${'a1B2'.repeat(8)}_0123abcd`,
    );
    assert.match(text, /secretlint-disable-line \*\/ \[redacted: grafana secret\]$/);
  });

  describe('of private keys', () => {
    it('takes out whole, escaped, prefixed and cut keys', async () => {
      assert.equal(await redacted(`a\n${privateKey}\nb`), 'a\n[redacted: private key]\nb');
      assert.equal(await redacted(JSON.stringify({ key: privateKey })), '{"key":"[redacted: private key]"}');
      const diff = privateKey.replace(/^/gm, '+');
      assert.equal(await redacted(`@@ -0,0 +1 @@\n${diff}\n c`), '@@ -0,0 +1 @@\n+[redacted: private key]\n c');
      assert.equal(await redacted(`a\n${privateKey.slice(0, 900)}`), 'a\n[redacted: private key]');
      assert.doesNotMatch(await redacted(`${privateKey.slice(900)}\nb`), /MII/);
    });
  });

  describe('of known values', () => {
    it('finds them as written, in JSON, in an address, in base64 and wrapped', async () => {
      const encoded = encodeURIComponent(knownValue);
      for (const text of [
        knownValue,
        JSON.stringify(knownValue).slice(1, -1),
        JSON.stringify(JSON.stringify(knownValue)).slice(3, -3),
        knownValue.replace('ü', '\\u00fc'),
        encoded,
        encoded.toLowerCase().replace('%bcbung', '%bcbung'),
        `${knownValue.slice(0, 6)}\n   ${knownValue.slice(6)}`,
      ]) {
        assert.equal(await redacted(`x ${text} y`), 'x [redacted: known secret] y', text);
      }
      for (const before of ['', 'b', 'bo', 'bob:']) {
        for (const after of ['', '!', '!!']) {
          const base64 = Buffer.from(before + knownValue + after, 'utf8');
          for (const form of [base64.toString('base64'), base64.toString('base64url')]) {
            assert.equal(await redacted(`x ${form} y`), 'x [redacted: known secret] y', form);
          }
        }
      }
    });

    it('takes them from variables that are secret by name', () => {
      const environment = {
        ANTHROPIC_API_KEY: 'abcdefgh-1',
        MY_TOKEN: 'tok-tok-tok-1',
        AWS_SECRET_ACCESS_KEY: 'abc/def+ghi1',
        SHORT_TOKEN: 'abc1',
        SSH_AUTH_SOCK: '/tmp/ssh-1234567',
        SSL_KEY: '/etc/ssl/key.pem',
        KEYBOARD: 'pc105-extended',
        AUTH: 'disabled',
        PATH: '/usr/bin:/bin/x',
        EMPTY_TOKEN: undefined,
      };
      assert.deepEqual(secretsOf(environment), ['abcdefgh-1', 'tok-tok-tok-1', 'abc/def+ghi1']);
    });
  });

  describe('of long texts', () => {
    it('finds secrets that lie across the border of two windows, wherever it is', async () => {
      for (const secret of [
        token,
        `AWS_SECRET_ACCESS_KEY=${'wJalr7'.repeat(7).slice(0, 40)}`,
        privateKey,
        `glsa_${'a1B2'.repeat(8)}_0123abcd`,
      ]) {
        for (const border of [131_072, 131_072 - 16_384]) {
          for (const shift of [1, 5, Math.floor(secret.length / 2), secret.length - 1, secret.length]) {
            const before = 'word '.repeat(border).slice(0, border - shift - 1);
            const text = await redacted(`${before}\n${secret}\n${'word '.repeat(10_000)}`);
            assert.doesNotMatch(text, /ghp_|aB3dEfG|wJalr7|MII|glsa|a1B2|PRIVATE KEY/, `${border} ${shift}`);
            assert.ok(text.startsWith(`${before}\n`));
          }
        }
      }
    });

    it('takes out a token that is longer than what windows share', async () => {
      const jwt = `eyJhbGciOiJI.eyJzdWIiOiIx${'aB3d'.repeat(60_000)}.sig`;
      assert.equal(await redacted(`x ${jwt} y`), 'x [redacted: JWT] y');
    });

    it('redacts 5 MB in bounded time without stalling this thread', async () => {
      const text = plainLine.repeat(60_000).slice(0, 5_000_000 - token.length - 1) + `\n${token}`;
      let longestGap = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        longestGap = Math.max(longestGap, performance.now() - last);
        last = performance.now();
      }, 5);
      const result = await redactor.redact(text);
      clearInterval(timer);
      assert.equal(result.text, text.replace(token, '[redacted: GitHub token]'));
      assert.deepEqual(result.found, [{ rule: 'GitHub token', count: 1 }]);
      assert.ok(longestGap < 200, `this thread stood still for ${longestGap} ms`);
    }).timeout(20_000);

    it('stays linear on texts made to be slow', async () => {
      for (const unit of [
        `${'token='.repeat(25)} `,
        'password="',
        '-----BEGIN PRIVATE KEY-----\n',
        'a-',
        '\\u0061',
        '\\\\',
        'eyJhbGciOiJI.',
        'http://a:b',
        'Bearer ',
        '-u a:',
      ]) {
        const started = performance.now();
        await redactor.redact(unit.repeat(Math.ceil(1_000_000 / unit.length)));
        assert.ok(performance.now() - started < 5_000, `${unit}: ${performance.now() - started} ms`);
      }
    }).timeout(60_000);
  });

  describe('that cannot be done', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'redact-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    /** A thread script of a test, in a redactor of its own. */
    const withScript = (script: string, clock = new FakeClock()) => {
      const file = join(folder, 'worker.mjs');
      writeFileSync(
        file,
        `import { parentPort } from 'node:worker_threads';\nparentPort.on('message', (text) => {${script}});`,
      );
      return createRedactor({ workerFile: file, known: () => [], clock, timeoutMs: 30_000, idleMs: 60_000 });
    };
    const echo = `parentPort.postMessage({ text: 'looked at ' + text, found: [] });`;
    const isFailure = (error: unknown) => {
      assert.ok(error instanceof RedactionFailed);
      assert.doesNotMatch(error.message, /s3cret/);
      assert.match(error.message, /held back.*(Try again|Reload the window)/);
      return true;
    };

    it('holds the text back when the thread crashes, and starts another for the next', async () => {
      const own = withScript(`if (text === 's3cret') throw new Error(text); ${echo}`);
      const crashed = own.redact('s3cret');
      const next = own.redact('next');
      await assert.rejects(crashed, isFailure);
      assert.equal((await next).text, 'looked at next');
      own.dispose();
    });

    it('holds the text back when the thread leaves, answers nonsense or cannot start', async () => {
      for (const script of [
        'process.exit(0);',
        'parentPort.postMessage({ text: 7 });',
        'parentPort.postMessage(text);',
      ]) {
        const own = withScript(script);
        await assert.rejects(own.redact('s3cret'), isFailure);
        own.dispose();
      }
      const missing = createRedactor({ workerFile: join(folder, 'missing.mjs'), known: () => [] });
      await assert.rejects(missing.redact('s3cret'), isFailure);
      missing.dispose();
    });

    it('holds the text back when it takes too long, and starts another thread for the next', async () => {
      const clock = new FakeClock();
      const own = withScript(`if (text === 's3cret') for (;;); ${echo}`, clock);
      const slow = own.redact('s3cret');
      clock.advance(29_999);
      const next = own.redact('next');
      clock.advance(1);
      await assert.rejects(slow, isFailure);
      assert.equal((await next).text, 'looked at next');
      own.dispose();
    });

    it('settles what is running and what waits when disposed', async () => {
      const own = withScript('for (;;);');
      const all = Promise.allSettled([own.redact('s3cret'), own.redact('s3cret')]);
      own.dispose();
      own.dispose();
      for (const outcome of await all) assert.ok(outcome.status === 'rejected' && isFailure(outcome.reason));
      await assert.rejects(own.redact('s3cret'), isFailure);
    });

    it('rejects with the reason when aborted, whether running or waiting', async () => {
      const own = withScript(`if (text === 'slow') for (;;); ${echo}`);
      const [running, waiting] = [new AbortController(), new AbortController()];
      const first = own.redact('slow', running.signal);
      const second = own.redact('waits', waiting.signal);
      const third = own.redact('next');
      waiting.abort(new Error('second'));
      running.abort(new Error('first'));
      await assert.rejects(first, /^Error: first$/);
      await assert.rejects(second, /^Error: second$/);
      assert.equal((await third).text, 'looked at next');
      await assert.rejects(own.redact('late', running.signal), /^Error: first$/);
      own.dispose();
    });

    it('keeps the thread for the next text and ends it when idle', async () => {
      const clock = new FakeClock();
      const own = withScript(
        `globalThis.n = (globalThis.n ?? 0) + 1; parentPort.postMessage({ text: String(globalThis.n), found: [] });`,
        clock,
      );
      assert.equal((await own.redact('a')).text, '1');
      clock.advance(59_000);
      assert.equal((await own.redact('b')).text, '2');
      clock.advance(60_000);
      assert.equal((await own.redact('c')).text, '1');
      own.dispose();
      assert.equal(clock.pending, 0);
    });

    it('keeps the thread, and with it what its file was, as long as it is told to', async () => {
      const clock = new FakeClock();
      const own = withScript(
        `globalThis.n = (globalThis.n ?? 0) + 1; parentPort.postMessage({ text: String(globalThis.n), found: [] });`,
        clock,
      );
      const kept = [own.keep(), own.keep()];
      assert.equal((await own.redact('a')).text, '1');
      clock.advance(3_600_000);
      kept[0]?.dispose();
      assert.equal((await own.redact('b')).text, '2');
      kept[1]?.dispose();
      clock.advance(60_000);
      assert.equal((await own.redact('c')).text, '1');
      own.dispose();
      assert.equal(clock.pending, 0);
    });

    it('says what to do when its file is gone, with an update', async () => {
      const own = createRedactor({ workerFile: join(tmpdir(), 'gone', 'redactWorker.cjs'), known: () => [] });
      await assert.rejects(
        own.redact('a'),
        /held back.*Sallyport was updated or removed meanwhile\. Reload the window/,
      );
      own.dispose();
    });

    it('wakes the thread before a text comes, and lets it rest again', async () => {
      const clock = new FakeClock();
      const own = withScript(
        `globalThis.n = (globalThis.n ?? 0) + 1; parentPort.postMessage({ text: String(globalThis.n), found: [] });`,
        clock,
      );
      own.wake();
      assert.equal(clock.pending, 1);
      assert.equal((await own.redact('a')).text, '1');
      own.wake();
      assert.equal((await own.redact('b')).text, '2');
      own.wake();
      clock.advance(60_000);
      assert.equal(clock.pending, 0);
      assert.equal((await own.redact('c')).text, '1');
      own.dispose();
      own.wake();
      assert.equal(clock.pending, 0);
    });
  });

  describe('of a text in pieces', () => {
    const around = (text: string) => `I looked at it and found this: ${text}\nand then went on to the next file.`;

    it('shows what the whole would show, wherever the text is split', () => {
      for (const { text } of [...cases, { text: knownValue }, { text: privateKey }]) {
        const whole = around(text);
        const expected = redactor.quick(whole);
        for (let at = 1; at < whole.length; at += whole.length > 500 ? 97 : 1) {
          const stream = redactor.stream();
          assert.equal(
            stream.push(whole.slice(0, at)) + stream.push(whole.slice(at)) + stream.end(),
            expected,
            `${at}: ${text}`,
          );
        }
      }
    });

    it('shows what the whole would show, letter by letter', () => {
      for (const { text } of cases) {
        const stream = redactor.stream();
        const shown = Array.from(around(text), (letter) => stream.push(letter)).join('') + stream.end();
        assert.equal(shown, redactor.quick(around(text)));
      }
    });

    it('does not wait for more than the last words of a line', () => {
      const stream = redactor.stream();
      assert.equal(stream.push('First line.\nNow reading the file that holds it'), 'First line.\nNow reading ');
      assert.equal(stream.push('\n'), 'the file that holds it\n');
    });

    it('stays fast and hides everything in large pieces without a line end', () => {
      for (const unit of [`word ${token} and `, 'word ', 'x', '-----BEGIN PRIVATE KEY-----\n']) {
        const started = performance.now();
        const stream = redactor.stream();
        const shown = stream.push(unit.repeat(Math.ceil(300_000 / unit.length))) + stream.end();
        assert.doesNotMatch(shown, /aB3d/);
        assert.ok(performance.now() - started < 2_000, `${unit}: ${performance.now() - started} ms`);
      }
    });

    it('holds a bounded part of a secret without an end, and shows nothing of it', () => {
      for (const [opening, piece, mark] of [
        ['password=hunter2', 'aB3d'.repeat(1000), 'password=[redacted: password]'],
        ['-----BEGIN PRIVATE KEY-----\n', `${'aB3d'.repeat(16)}\n`.repeat(50), '[redacted: private key]'],
      ] as const) {
        const stream = redactor.stream();
        let shown = stream.push(opening);
        for (let index = 0; index < 100; index++) shown += stream.push(piece);
        shown += stream.push(' "and" on') + stream.end();
        assert.doesNotMatch(shown, /aB3d|hunter2/);
        assert.ok(shown.startsWith(mark), shown.slice(0, 80));
        assert.ok(shown.endsWith('on'));
      }
    });
  });
});
