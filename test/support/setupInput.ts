import type { Finding } from '../../src/vscode/doctor/finding.ts';
import type { PageInput } from '../../src/vscode/doctor/pageState.ts';

/** A page of "Check Setup" with a few checks and what they found, by their ids. */
export function setupInput(findings: Readonly<Record<string, Finding>>): PageInput {
  return {
    checks: [
      { id: 'codex', title: 'Codex', group: 'agents' },
      { id: 'grok', title: 'Grok', group: 'agents' },
      { id: 'sandbox', title: 'Sandbox', group: 'machine' },
      { id: 'mcp', title: 'Tools', group: 'sallyport' },
    ],
    findings: new Map(Object.entries(findings)),
    pending: new Set(),
    about: 'Sallyport 1.2.3 · Editor 1.139.1 · linux-x64',
    isTrusted: true,
    done: undefined,
  };
}
