import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../../src/base/clock.ts';
import { FolderWatches, type FolderWatch } from '../../../../src/cursor/session/folderWatch.ts';
import { useTemporaryFolder } from '../../../support/cursorStore/temporaryFolder.ts';
import { FakeClock } from '../../../support/fakes/clock.ts';
import { eventually } from '../../../support/processes/runs.ts';

const nothing = (): void => undefined;
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

describe('watching a folder', function () {
  if (process.platform === 'win32') return;
  const temporaryFolder = useTemporaryFolder();
  const owned: FolderWatches[] = [];
  afterEach(() => {
    for (const watches of owned.splice(0)) watches.dispose();
  });

  function listen(folder: string): { heard: Set<string | undefined>; watch: FolderWatch } {
    const watches = new FolderWatches({ clock: systemClock, log });
    owned.push(watches);
    const heard = new Set<string | undefined>();
    const watch = watches.watch(folder, { changed: (name) => heard.add(name), tick: nothing });
    return { heard, watch };
  }

  it('goes on when the folder is replaced by another one at once', async () => {
    const folder = join(temporaryFolder(), 'replaced');
    mkdirSync(folder);
    const { heard, watch } = listen(folder);
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    await eventually('the end of the first was heard', () => heard.has('replaced'));
    heard.clear();
    let n = 0;
    await eventually('the second is heard', () => {
      writeFileSync(join(folder, `file-${n++}`), 'x');
      return [...heard].some((name) => name?.startsWith('file-'));
    });
    watch.dispose();
  });

  it('is silent about a folder that is not there, until it is', async () => {
    const folder = join(temporaryFolder(), 'later');
    const { heard, watch } = listen(folder);
    assert.equal(watch.ensure(), false);
    mkdirSync(folder);
    assert.equal(watch.ensure(), true);
    assert.equal(watch.ensure(), false);
    writeFileSync(join(folder, 'file'), 'x');
    await eventually('it is heard', () => heard.has('file'));
    watch.dispose();
    assert.equal(watch.ensure(), false);
  });

  it('looks at what cannot be watched from time to time, for as long as that lasts', () => {
    const clock = new FakeClock();
    const watchFolder = (): never => {
      throw Object.assign(new Error('too many'), { code: 'EMFILE' });
    };
    const watches = new FolderWatches({ clock, log, watchFolder });
    owned.push(watches);
    let ticks = 0;
    let told = 0;
    watches.onDidChange(() => told++);
    const watch = watches.watch('/somewhere', { changed: nothing, tick: () => ticks++ });
    assert.match(watches.limitation ?? '', /folders: 1\b/);
    clock.advance(10_000);
    assert.equal(ticks, 3);
    watch.dispose();
    assert.equal(watches.limitation, undefined);
    assert.equal(told, 2);
    assert.equal(clock.pending, 0);
  });
});
