import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { createSampleWorkspace } from '../scripts/sampleWorkspace.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { type Editor, installExtension, startEditor, writeUserSettings } from '../test/support/editorHost.ts';

export interface BenchEditorOptions {
  /** The packages to install; without any, the editor has no extension but its own. */
  readonly vsixes?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** An editor that shows the sample workspace, and a browser for its page. */
export interface BenchEditor {
  readonly editor: Editor;
  readonly browser: Browser;
  /** What SALLYPORT_STATE_DIR is for its processes, and for no others. */
  readonly state: string;
}

/** Opens one with everything in a folder of its own; nothing is left when `use` is over. */
export async function withEditor<T>(options: BenchEditorOptions, use: (opened: BenchEditor) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-bench-'));
  try {
    const place = { userDataDir: join(folder, 'profile'), extensionsDir: join(folder, 'extensions') };
    const state = join(folder, 'state');
    await mkdir(place.extensionsDir);
    await createSampleWorkspace(join(folder, 'greeter'));
    await writeUserSettings(place.userDataDir, options.settings ?? {});
    for (const vsix of options.vsixes ?? []) await installExtension(vsix, place.userDataDir, place.extensionsDir);
    const env = { SALLYPORT_STATE_DIR: state, ...options.env };
    const editor = await startEditor({ ...place, folder: join(folder, 'greeter'), env });
    try {
      const browser = await launchBrowser();
      try {
        return await use({ editor, browser, state });
      } finally {
        await browser.close();
      }
    } finally {
      await editor.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
