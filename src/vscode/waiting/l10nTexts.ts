/** The part of `vscode.l10n` that makes texts: a parameter, so that what a card says can be tested without an editor. */
export interface L10n {
  t(message: string, ...values: (string | number)[]): string;
}
