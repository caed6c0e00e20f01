import { SetupPage, type SetupPageDeps } from './setupPage.ts';

/** "Check Setup": one page, however often it is asked for. */
export interface Doctor {
  /** Shows the page and checks anew. */
  checkSetup(): void;
  dispose(): void;
}

/** Starts nothing until the page is asked for. */
export function openDoctor(deps: SetupPageDeps): Doctor {
  let page: SetupPage | undefined;
  return {
    checkSetup() {
      if (page) page.reveal();
      else page = new SetupPage(deps, () => (page = undefined));
      page.checkAll();
    },
    dispose: () => page?.dispose(),
  };
}
