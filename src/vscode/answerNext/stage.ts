import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import { Quiet } from './quiet.ts';
import { Reading } from './reading.ts';

/** A row of a picker. Without a value it is only there to be read. */
export interface Row<T> extends vscode.QuickPickItem {
  value?: T;
}

export interface PickOptions<T> {
  title: string;
  placeholder: string;
  /** The first one that can be chosen is the safe one: it has the focus. */
  rows: readonly Row<T>[];
  /** Single letters that choose at once. */
  keys?: ReadonlyMap<string, T>;
  /** Whether going back is offered. */
  canGoBack?: boolean;
  /** Why this value is not taken yet, for people. */
  objection?: (value: T) => string | undefined;
  /** How many rows, separators aside, must have been in sight; `onRead` is told once they have. */
  mustRead?: { rows: number; onRead: () => void };
  /** What is asked is not asked any more. */
  isStale?: () => boolean;
  /** Says how things are now, in place of the placeholder. */
  news?: () => string;
  isBusy?: () => boolean;
}

/** What came of a question. `closed`: the person left it. `back`: one step. `stale`: see `PickOptions`. */
export type Picked<T> = { kind: 'chosen'; value: T } | { kind: 'closed' | 'back' | 'stale' };

/** So many rows are in sight at once in every window that is not tiny. */
const rowsInSight = 9;

/**
 * Where the walk takes place: pickers and boxes of the editor, one in the place of the other so that the focus is never
 * anywhere else in between. What has just appeared takes no key for a moment. A picker goes with the focus: it would else
 * come before somebody who types elsewhere by then.
 */
export class Stage implements vscode.Disposable {
  readonly #onDidChange: Event<void>;
  #shown: vscode.QuickInput | undefined;

  /** @param onDidChange what is asked may be over. */
  constructor(onDidChange: Event<void>) {
    this.#onDidChange = onDidChange;
  }

  /** Lets the person choose one row. */
  async pick<T>(options: PickOptions<T>): Promise<Picked<T>> {
    const { title, placeholder, rows, keys, canGoBack, objection, mustRead, isStale, news, isBusy } = options;
    const picker = vscode.window.createQuickPick<Row<T>>();
    // What is typed chooses by a letter and never hides a row.
    const items = rows.map((row) => ({ ...row, alwaysShow: true }));
    Object.assign(picker, { title, placeholder, items });
    picker.buttons = canGoBack === true ? [vscode.QuickInputButtons.Back] : [];
    const readable = items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
    const reached = (count: number) => mustRead && count >= mustRead.rows && mustRead.onRead();
    reached(rowsInSight);
    const reading = new Reading(systemClock, reached);
    return await this.#ask<T>(picker, (end, quiet) => {
      let objected: string | undefined;
      const refresh = () => {
        if (isStale?.() === true) end({ kind: 'stale' });
        const text = objected ?? news?.() ?? placeholder;
        if (text !== picker.placeholder) picker.placeholder = text;
        picker.busy = isBusy?.() ?? false;
      };
      const choose = (value: T | undefined) => {
        if (value === undefined) return;
        objected = objection?.(value);
        if (objected === undefined) end({ kind: 'chosen', value });
        else refresh();
      };
      refresh();
      return [
        picker.onDidAccept(() => {
          const value = picker.activeItems[0]?.value;
          quiet.take(() => choose(value));
        }),
        picker.onDidChangeValue((typed) => {
          if (typed === '') return;
          reading.typed();
          picker.value = '';
          quiet.take(() => choose(keys?.get(typed.toLowerCase())));
        }),
        whenShown(picker, quiet),
        reading,
        picker.onDidChangeActive(([row]) => reading.cameTo(readable.findIndex((each) => each === row) + 1)),
        picker.onDidTriggerButton(() => end({ kind: 'back' })),
        this.#onDidChange(refresh),
      ];
    });
  }

  /** Lets the person choose any number of rows; all have a value. */
  async pickSeveral<T>(
    options: Pick<PickOptions<T>, 'title' | 'placeholder' | 'rows' | 'isStale'> & { objectionToNone: string },
  ): Promise<Picked<T[]>> {
    const { title, placeholder, rows, isStale, objectionToNone } = options;
    const picker = vscode.window.createQuickPick<Row<T>>();
    Object.assign(picker, { title, placeholder, items: rows, canSelectMany: true });
    picker.buttons = [vscode.QuickInputButtons.Back];
    return await this.#ask<T[]>(picker, (end, quiet) => [
      picker.onDidAccept(() => {
        const values = picker.selectedItems.flatMap(({ value }) => value ?? []);
        quiet.take(() => {
          if (values.length > 0) end({ kind: 'chosen', value: values });
          else picker.placeholder = objectionToNone;
        });
      }),
      whenShown(picker, quiet),
      picker.onDidTriggerButton(() => end({ kind: 'back' })),
      this.#onDidChange(() => isStale?.() === true && end({ kind: 'stale' })),
    ]);
  }

  /** Lets the person write a line. It stays when what is asked is over, for the sake of what is written, and says so. */
  async write(options: { title: string; prompt: string; over: () => string | undefined }): Promise<Picked<string>> {
    const { title, prompt, over } = options;
    const box = vscode.window.createInputBox();
    // What is typed is not lost with the focus.
    Object.assign(box, { title, prompt, buttons: [vscode.QuickInputButtons.Back], ignoreFocusOut: true });
    return await this.#ask<string>(box, (end, quiet) => [
      box.onDidAccept(() => {
        const { value } = box;
        quiet.take(() => end(over() === undefined ? { kind: 'chosen', value } : { kind: 'stale' }));
      }),
      box.onDidTriggerButton(() => end({ kind: 'back' })),
      this.#onDidChange(() => {
        box.validationMessage = over();
      }),
    ]);
  }

  dispose(): void {
    this.#shown?.dispose();
    this.#shown = undefined;
  }

  /** Shows it in the place of what was there. Its parts are ended with it. */
  #ask<T>(
    input: vscode.QuickInput & { onDidHide: vscode.Event<void> },
    listen: (end: (picked: Picked<T>) => void, quiet: Quiet) => { dispose(): void }[],
  ): Promise<Picked<T>> {
    const { promise, resolve } = Promise.withResolvers<Picked<T>>();
    const quiet = new Quiet(systemClock);
    const before = this.#shown;
    const parts = [quiet, ...listen(resolve, quiet), input.onDidHide(() => resolve({ kind: 'closed' }))];
    this.#shown = input;
    input.show();
    before?.dispose();
    return promise.finally(() => {
      for (const part of parts) part.dispose();
    });
  }
}

/** The pause begins anew once a picker is really there: the first row that has the focus tells. */
function whenShown<T>(picker: vscode.QuickPick<Row<T>>, quiet: Quiet): vscode.Disposable {
  const subscription = picker.onDidChangeActive(() => {
    subscription.dispose();
    quiet.startOver();
  });
  return subscription;
}
