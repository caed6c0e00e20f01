import type { PendingRequest, RequestSubject } from '../../protocol/request.ts';

type Line<Kind extends RequestSubject['kind']> = (subject: Extract<RequestSubject, { kind: Kind }>) => string;

const lines: { [Kind in RequestSubject['kind']]: Line<Kind> } = {
  command: ({ command }) => command,
  write: ({ path }) => path,
  replace: ({ path }) => path,
  patch: ({ paths }) => paths.join(', '),
  delete: ({ path }) => path,
  fetch: ({ url }) => url,
  search: ({ query }) => query,
  mcpTool: ({ server, tool }) => `${server} · ${tool}`,
  modeSwitch: ({ mode }) => mode,
  other: ({ tool }) => tool,
};

/** What exactly is asked, as the agent's own raw text: whoever shows it makes its characters visible. */
export function subjectLine(request: PendingRequest): string {
  if (request.kind === 'question') return request.questions[0]?.prompt ?? request.title;
  const line = lines[request.subject.kind] as Line<RequestSubject['kind']>;
  return line(request.subject);
}
