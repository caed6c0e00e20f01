import { isReference, looksRandom } from './randomness.ts';
import type { Span } from './span.ts';

/** One kind of secret that is known by its own look. The group `secret`, where there is one, is what gets replaced. */
interface TokenRule {
  kind: string;
  pattern: RegExp;
  /** Looks closer at what matched. */
  accept?: (secret: string) => boolean;
}

const upperAndDigit = (secret: string) => /[A-Z]/.test(secret) && /\d/.test(secret);
/** `sk-` begins CSS classes too: a key has no separators, or mixes cases and digits. */
const isOpaqueKey = (secret: string) =>
  /^sk-[A-Za-z0-9]+$/.test(secret)
    ? /\d/.test(secret)
    : upperAndDigit(secret) || /^sk-(?:ant|proj|or-v1)-/.test(secret);
const isCredential = (secret: string) =>
  !isReference(secret) && secret.length >= 8 && (/\d.*\d|[A-Z].*=$/.test(secret) || looksRandom(secret, 12));

/** Prefixes as their issuers document them; lengths are lower bounds, so that a longer generation is caught too. */
const rules: readonly TokenRule[] = [
  { kind: 'Anthropic key', pattern: /(?<![A-Za-z0-9])sk-ant-[\w-]{16,}/g },
  { kind: 'API key', pattern: /(?<![A-Za-z0-9])sk-[\w-]{20,}/g, accept: isOpaqueKey },
  { kind: 'xAI key', pattern: /(?<![A-Za-z0-9])xai-[A-Za-z0-9_-]{20,}/g, accept: (secret) => /\d/.test(secret) },
  { kind: 'Cursor key', pattern: /(?<![A-Za-z0-9])(?:key|crsr)_[0-9a-f]{40,}/g },
  {
    kind: 'GitHub token',
    pattern: /gh[opsur]_[A-Za-z0-9_]{20,}/g,
    accept: (secret) => /\d/.test(secret),
  },
  {
    kind: 'GitHub token',
    pattern: /github_pat_[A-Za-z0-9_]{20,}/g,
    accept: (secret) => /\d/.test(secret),
  },
  { kind: 'GitLab token', pattern: /(?<![A-Za-z0-9])gl(?:pat|rt|dt|ptt|cbt|soat|agent|ft|imt|oas)-[\w.-]{20,}/g },
  { kind: 'AWS key', pattern: /(?<![A-Za-z0-9+/_-])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  { kind: 'Google key', pattern: /(?<![A-Za-z0-9])AIza[\w-]{30,}/g },
  { kind: 'Google token', pattern: /(?<![A-Za-z0-9])ya29\.[\w-]{20,}/g },
  {
    kind: 'Slack token',
    pattern: /(?<![A-Za-z0-9])(?:xox[a-z]|xapp|xwfp)-[A-Za-z0-9-]{10,}/g,
    accept: (secret) => /\d/.test(secret),
  },
  {
    kind: 'Stripe key',
    pattern: /(?<![A-Za-z0-9])(?:sk|rk|whsec)_(?:(?:live|test)_)?[A-Za-z0-9]{16,}/g,
    accept: (secret) => /\d/.test(secret),
  },
  { kind: 'npm token', pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}/g },
  { kind: 'PyPI token', pattern: /(?<![A-Za-z0-9])pypi-AgE[\w-]{20,}/g },
  { kind: 'DigitalOcean token', pattern: /(?<![A-Za-z0-9])do[por]_v1_[0-9a-f]{64}/g },
  { kind: 'Hugging Face token', pattern: /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}/g },
  { kind: 'Groq key', pattern: /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{30,}/g },
  {
    kind: 'JWT',
    pattern: /(?<![A-Za-z0-9_-])eyJ[\w-]{8,}\.(?:eyJ[\w-]{8,}(?:\.[\w-]*)?|[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})/g,
  },
  {
    kind: 'credential',
    pattern:
      /(?<![A-Za-z0-9])authorization["'`\]]{0,2}[ \t]{0,9}[:=,][ \t]{0,9}["'`]?(?:(?:bearer|basic|token|apikey|key|negotiate)[ \t]{1,9})?(?<secret>[\w.~+/:-]{8,}=*)/dgi,
    accept: isCredential,
  },
  {
    kind: 'credential',
    pattern: /(?<![A-Za-z0-9])Bearer[ \t]{1,9}(?<secret>[\w.~+/-]{12,}=*)/dgi,
    accept: isCredential,
  },
  {
    kind: 'cookie',
    pattern:
      /(?<![A-Za-z0-9])cookie["'`]?[ \t]{0,9}[:=][ \t]{0,9}["'`]?[\w.-]{1,64}=(?<secret>[^\s"'`]{8,}(?:[ \t][\w.-]{1,64}=[^\s"'`]{1,})*)/dgi,
    accept: (secret) => looksRandom(secret.split(' ', 1)[0] ?? '', 16),
  },
  {
    kind: 'password',
    pattern:
      /(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`<>]{0,256}:(?<secret>[^\s/"'`<>]{1,512})@(?=[\w[%.-])/dgi,
    accept: (secret) => !isReference(secret),
  },
  {
    kind: 'credential',
    pattern: /(?<![A-Za-z0-9])https?:\/\/(?<secret>[^\s/:@"'`<>]{16,512})@(?=[\w[])/dgi,
    accept: (secret) => looksRandom(secret, 16),
  },
  {
    kind: 'password',
    pattern: /(?<![\w-])(?:-u|--user)[ =]{0,2}["']?[^\s:"'$]{1,128}:(?<secret>[^\s"'$:]{4,512})/dg,
    accept: (secret) => /\d|[^\w.-]/.test(secret) && /[^\d.]/.test(secret) && !isReference(secret),
  },
  {
    kind: 'password',
    pattern: /(?<!\w)login[ \t]{1,9}\S{1,128}\s{1,9}password[ \t]{1,9}(?<secret>\S{3,512})/dg,
    accept: (secret) => !isReference(secret),
  },
  { kind: 'signature', pattern: /[?&](?:sig|signature|x-amz-signature|x-goog-signature)=(?<secret>[\w%+/=-]{20,})/dgi },
  {
    kind: 'AWS key',
    pattern:
      /aws_?secret_?(?:access_?)?key(?:_id)?["'`]?\s{0,9}(?:=>|[:=])\s{0,9}["'`]?(?<secret>[A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])/dgi,
  },
];

/** Finds secrets that are known by their own look, whatever stands around them. */
export function findTokens(text: string): Span[] {
  const spans: Span[] = [];
  for (const { kind, pattern, accept } of rules) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.groups?.secret ?? [match.index, match.index + match[0].length];
      if (!accept || accept(text.slice(start, end))) spans.push({ start, end, kind });
    }
  }
  return spans;
}
