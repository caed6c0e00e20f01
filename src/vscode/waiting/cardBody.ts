import { isAbsolute, relative } from 'node:path';
import type { Block, Shown } from '../../protocol/panel.ts';
import type { PermissionRequest, QuestionRequest, RequestSubject } from '../../protocol/request.ts';
import { markChanges, markPatch, type MarkedLine } from './changeLines.ts';
import type { L10n } from '../l10n.ts';
import { type Revealer, shorten } from './shownText.ts';

/** What a card says of its subject: what is asked, and what exactly. */
export interface CardBody {
  icon: string;
  title: string;
  blocks: Block[];
  remarks: Shown[];
  warnings: string[];
  canOpenDiff: boolean;
}

type Body<Kind extends RequestSubject['kind']> = (
  subject: Extract<RequestSubject, { kind: Kind }>,
  make: BlockMaker,
  request: PermissionRequest,
) => Omit<CardBody, 'remarks' | 'warnings' | 'canOpenDiff'> & Partial<CardBody>;

/** One entry per kind of subject. */
const bodies: { [Kind in RequestSubject['kind']]: Body<Kind> } = {
  command: ({ command, folder }, make, { session }) => ({
    icon: 'terminal-bash',
    title: make.l10n.t('Run a command'),
    blocks: [make.code(make.l10n.t('Command'), command)],
    remarks: make.placeIn(folder ?? session.cwd, session.cwd),
  }),
  write: ({ path, contents }, make) => ({
    icon: 'new-file',
    title: make.l10n.t('Write a file'),
    blocks: [make.path(path), make.code(make.l10n.t('Contents'), contents)],
    canOpenDiff: true,
  }),
  replace: ({ path, before, after }, make) => ({
    icon: 'edit',
    title: make.l10n.t('Edit a file'),
    ...make.changes(markChanges(before, after), [make.path(path)]),
    canOpenDiff: true,
  }),
  patch: ({ paths, patch }, make) => ({
    icon: 'edit',
    title: make.l10n.t('Edit files'),
    ...make.changes(
      markPatch(patch),
      paths.map((path) => make.path(path)),
    ),
    canOpenDiff: true,
  }),
  delete: ({ path }, make) => ({ icon: 'trash', title: make.l10n.t('Delete a file'), blocks: [make.path(path)] }),
  fetch: ({ url }, make) => ({
    icon: 'globe',
    title: make.l10n.t('Fetch a page'),
    blocks: [make.code(make.l10n.t('Address'), url)],
    warnings: make.hostWarning(url),
  }),
  search: ({ query }, make) => ({
    icon: 'search',
    title: make.l10n.t('Search the web'),
    blocks: [make.code(make.l10n.t('Query'), query)],
  }),
  mcpTool: ({ server, tool, input }, make) => ({
    icon: 'plug',
    title: make.l10n.t('Use an MCP tool'),
    blocks: [make.code(make.l10n.t('Tool'), `${server} · ${tool}`), make.code(make.l10n.t('Input'), indentJson(input))],
  }),
  modeSwitch: ({ mode, explanation }, make) => ({
    icon: 'arrow-swap',
    title: make.l10n.t('Switch the mode'),
    blocks: [make.code(make.l10n.t('Mode'), mode), ...make.prose(make.l10n.t('Explanation'), explanation)],
  }),
  other: ({ tool, input }, make) => ({
    icon: 'tools',
    title: make.l10n.t('Use a tool'),
    blocks: [make.code(make.l10n.t('Tool'), tool), make.code(make.l10n.t('Input'), indentJson(input))],
  }),
};

/** What the card of a request shows of its call. `reveal` learns what was found in the texts. */
export function cardBody(request: PermissionRequest | QuestionRequest, reveal: Revealer, l10n: L10n): CardBody {
  const make = new BlockMaker(reveal, l10n);
  const nothing = { remarks: [], warnings: [], canOpenDiff: false };
  if (request.kind === 'permission') return { ...nothing, ...bodyOf(request, make) };
  return {
    ...nothing,
    icon: 'question',
    title: l10n.t('Asks you'),
    blocks: make.prose(l10n.t('Title'), request.title),
  };
}

function bodyOf(request: PermissionRequest, make: BlockMaker): ReturnType<Body<RequestSubject['kind']>> {
  // The table's key and the subject's kind are the same, which the type system cannot follow through an index.
  const body = bodies[request.subject.kind] as Body<RequestSubject['kind']>;
  return body(request.subject, make, request);
}

class BlockMaker {
  readonly l10n: L10n;
  readonly #reveal: Revealer;

  constructor(reveal: Revealer, l10n: L10n) {
    this.#reveal = reveal;
    this.l10n = l10n;
  }

  code(name: string, text: string): Block {
    const { text: fitting, whole } = this.#fit(text);
    return { name, kind: 'code', lines: [{ mark: 'plain', text: this.#reveal.show(fitting) }], whole };
  }

  /** Nothing for an empty text. */
  prose(name: string, text: string): Block[] {
    return text === '' ? [] : [{ ...this.code(name, text), kind: 'prose' }];
  }

  path(path: string): Block {
    return { ...this.code(this.l10n.t('File'), path), kind: 'prose' };
  }

  changes(lines: readonly MarkedLine[], before: Block[]): Pick<CardBody, 'blocks' | 'remarks'> {
    const count = (mark: string) => lines.reduce((sum, line) => sum + (line.mark === mark ? line.lines : 0), 0);
    const fitted = lines.map(({ mark, text }) => ({ mark, ...this.#fit(text) }));
    const block: Block = {
      name: this.l10n.t('Changes'),
      kind: 'code',
      lines: fitted.map(({ mark, text }) => ({ mark, text: this.#reveal.show(text) })),
      whole: fitted.every(({ whole }) => whole),
    };
    return { blocks: [...before, block], remarks: [[{ text: `+${count('added')} −${count('removed')}` }]] };
  }

  /** Where it happens: short where that lies in the session's own folder. */
  placeIn(folder: string | undefined, cwd: string | undefined): Shown[] {
    if (folder === undefined) return [];
    const inside = cwd === undefined ? folder : relative(cwd, folder);
    const outside = inside === '' || inside.startsWith('..') || isAbsolute(inside);
    const words = this.l10n.t('in {0}', '\0').split('\0');
    return [
      [{ text: words[0] ?? '' }, ...this.#reveal.show(outside ? folder : inside), { text: words[1] ?? '' }].filter(
        ({ text }) => text !== '',
      ),
    ];
  }

  /** Letters of other scripts in a host's name: what the network will really ask for. */
  hostWarning(url: string): string[] {
    const { hostname } = URL.parse(url) ?? {};
    return hostname?.split('.').some((label) => label.startsWith('xn--')) === true
      ? [this.l10n.t('The name of this host is really {0}.', hostname)]
      : [];
  }

  #fit(text: string): { text: string; whole: boolean } {
    return shorten(text, (left) => this.l10n.t('[{0} characters are left out here]', left));
  }
}

/** JSON as people read it; any other text as it is. */
function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
