import { ErrorCode, McpError, type ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { showHidden } from '../base/displayText.ts';
import { pagesOf } from '../delegation/output.ts';
import type { LogPage } from '../delegation/command/logFile.ts';
import type { Delegation } from '../delegation/task.ts';

/** How clients learn of the resources: there is one for every run that is kept, far too many to list. */
export const outputTemplate = {
  uriTemplate: 'sallyport://runs/{id}/output{?page}',
  name: 'run-output',
  title: 'Output of a run',
  description: 'The whole redacted answer of a run, or output of a command, in pages from 1.',
  mimeType: 'text/plain',
};

/** A page says where the next one is; room for that within what a client takes at once. */
const footerChars = 200;
/** A page of a log may be this much longer, so as to begin with a line. */
const logSlackBytes = 4_096;
/** As the protocol has it for a resource that is not there (MCP, resources, error handling). */
const resourceNotFound = -32_002;

export function outputUri(runId: string, page = 1): string {
  return `sallyport://runs/${runId}/output?page=${page}`;
}

/** An answer as it is paged: what would act or hide in it is shown, and a page with its footer holds `maxChars` at most. */
export function outputPages(answer: string, maxChars: number): string[] {
  return pagesOf(showHidden(answer.trim()), maxChars - footerChars);
}

const uriPattern = /^sallyport:\/\/runs\/([A-Za-z0-9-]{8,64})\/output(?:\?page=(\d{1,6}))?$/;

/** The page that `uri` names, of a run that any process of this user has ended. Throws what clients are told. */
export async function readOutput(uri: string, delegation: Delegation, maxChars: number): Promise<ReadResourceResult> {
  const [, runId, number = '1'] = uriPattern.exec(uri) ?? [];
  const refuse = (why: string) => new McpError(resourceNotFound, why, { uri });
  if (runId === undefined) {
    throw new McpError(ErrorCode.InvalidParams, `There is no such resource. They are called ${outputUri('<run id>')}.`);
  }
  const log = await delegation.readLog(runId, Number(number), maxChars - footerChars - logSlackBytes);
  if (log) return pageOf(uri, runId, Number(number), log, delegation);
  const answer = await delegation.readResult(runId);
  if (answer === undefined) {
    const running = delegation.live.some(({ id }) => id === runId);
    throw refuse(
      running ? 'This run has not ended yet: wait for its result.' : 'No output of such a run is kept here.',
    );
  }
  const pages = outputPages(answer, maxChars);
  const page = Number(number);
  return pageOf(uri, runId, page, { text: pages[page - 1] ?? '', pages: pages.length }, delegation);
}

function pageOf(
  uri: string,
  runId: string,
  page: number,
  { text: content, pages }: LogPage,
  delegation: Delegation,
): ReadResourceResult {
  if (page < 1 || page > pages)
    throw new McpError(
      resourceNotFound,
      `The output has ${pages} ${pages === 1 ? 'page' : 'pages'}; there is no page ${page}.`,
      { uri },
    );
  const next = page < pages ? `Next: ${outputUri(runId, page + 1)}` : 'This is the last.';
  const text = `${content.trimEnd()}\n\n[Page ${page} of ${pages}. ${next}]`;
  delegation.noteReturned(runId, text.length);
  return { contents: [{ uri, mimeType: 'text/plain', text }] };
}
