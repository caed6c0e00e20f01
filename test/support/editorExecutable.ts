#!/usr/bin/env node
// Stands in for the desktop executable that runTests() of @vscode/test-electron starts: takes the same arguments, runs
// the tests in the extension host of code-server with a headless browser as its window, and ends with their exit code.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { startEditor } from './editorHost.ts';
import type { Editor } from './editorHost.ts';

/** What the editor itself says about services it cannot reach here and native modules that are not built. */
const chatter = new RegExp(
  [
    '^\\[(AgentHost|ChatModelSelection|AccountPolicyGate|reconnection-grace-time|Service Worker)',
    '^(Resolv(ing|ed) connection token|Creating a socket|Updating additional builtin|getaddrinfo ENOTFOUND)',
    '^Timed out waiting for authentication provider',
    'Could not locate the bindings file',
    "Cannot find module '[./]+/build/Release/",
  ].join('|'),
);

const timeoutMs = Number(process.env.SALLYPORT_EDITOR_TIMEOUT ?? 300_000);

const values = (name: string): string[] =>
  process.argv.filter((argument) => argument.startsWith(`--${name}=`)).map((each) => each.slice(name.length + 3));

function folderToOpen(): string | undefined {
  const [uri] = values('folder-uri');
  return uri === undefined ? process.argv.slice(2).find((argument) => !argument.startsWith('-')) : fileURLToPath(uri);
}

/** The page's address with the tests it shall run in the extension host. */
function addressWithTests(editor: Editor): string {
  const remote = (path: string): string => `vscode-remote://${editor.authority}${resolve(path)}`;
  const payload = ['extensionDevelopmentPath', 'extensionTestsPath'].flatMap((name) =>
    values(name).map((path) => [name, remote(path)]),
  );
  return `${editor.url}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

/** Resolves to the exit code the extension host reports: 0, or 1 when a test failed. */
async function runTestsIn(browser: Browser, editor: Editor): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const { promise: exit, resolve: done, reject: fail } = Promise.withResolvers<number>();
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    const line = format(...args);
    if (!chatter.test(line)) (type === 'error' || type === 'warn' ? console.error : console.log)(line);
  });
  await page.exposeFunction('codeAutomationExit', done);
  page.on('crash', () => fail(new Error('the page of the editor crashed')));
  const timer = setTimeout(() => fail(new Error(`no result within ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    await page.goto(addressWithTests(editor));
    return await exit;
  } finally {
    clearTimeout(timer);
  }
}

/** Starts editor and browser, runs the tests, ends both; resolves to the exit code. */
async function main(stopped: Promise<number>): Promise<number> {
  const scratch = await mkdtemp(join(tmpdir(), 'sallyport-host-'));
  const folder = folderToOpen();
  try {
    const editor = await startEditor({
      userDataDir: values('user-data-dir')[0] ?? join(scratch, 'profile'),
      extensionsDir: values('extensions-dir')[0] ?? join(scratch, 'extensions'),
      logFile: join(scratch, 'server.log'),
      ...(folder === undefined ? {} : { folder }),
      enableTestDriver: true,
      proposedApi: values('enable-proposed-api'),
    });
    try {
      const browser = await launchBrowser();
      try {
        return await Promise.race([runTestsIn(browser, editor), stopped]);
      } finally {
        await browser.close();
      }
    } finally {
      await editor.stop();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

// Listened for from the start: a signal during the start ends what comes up, too.
const stopped = new Promise<number>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(130));
});
const code = await main(stopped).catch((error: unknown) => {
  console.error(error);
  return 1;
});
process.exit(code);
