import type { L10n } from '../l10n.ts';
import type { InstallCommand } from './packageManagers.ts';

/**
 * How a check went. `missing`: something does not work that should, and there is a remedy. `warning`: it works, with less than
 * there could be. `optional`: it is not there, and nothing needs it. `unknown`: it could not be found out.
 */
export type FindingState = 'ok' | 'warning' | 'missing' | 'optional' | 'unknown';

/** Something a person can do by a button. Terminal commands are typed and left for the person to run. */
export type Remedy =
  | { kind: 'terminal'; command: string; label: string }
  | { kind: 'settings'; whose: 'own' | 'editor'; query: string; label: string }
  | { kind: 'command'; id: string; label: string }
  | { kind: 'link'; address: string; label: string };

/** What one check found, in the editor's language. Texts may hold what programs printed. */
export interface Finding {
  readonly state: FindingState;
  /** The state in a few words. */
  readonly verdict: string;
  /** What was found, a line each. */
  readonly found: readonly string[];
  /** Whose account a CLI uses: for the page, and for no report. */
  readonly account?: string | undefined;
  /** What to do next, as a sentence. */
  readonly advice?: string | undefined;
  /** It is an agent whose program is nowhere, which matters only where no other works. */
  readonly absent?: true;
  /** The first is the one that helps most. */
  readonly remedies: readonly Remedy[];
}

/** What a check found that has nothing to say but its lines. */
export function fine(verdict: string, ...found: readonly string[]): Finding {
  return { state: 'ok', verdict, found, remedies: [] };
}

/** For a command whose exact words are known; nothing without one. */
export function inTerminal(command: string | undefined, l10n: L10n): Remedy[] {
  return command === undefined ? [] : [{ kind: 'terminal', command, label: l10n.t('Type in Terminal') }];
}

/** Opens the settings that match: ours, or those of the editor. */
export function inSettings(query: string, l10n: L10n, whose: 'own' | 'editor' = 'own'): Remedy {
  return { kind: 'settings', whose, query, label: l10n.t('Open Settings') };
}

/** The package manager's command, or the project's own page where none is known. */
export function toInstall(name: string, install: InstallCommand, address: string, l10n: L10n): Remedy[] {
  const command = install(name);
  return command === undefined
    ? [{ kind: 'link', address, label: l10n.t('How to Install') }]
    : inTerminal(command, l10n);
}

/** The check of something in which nothing may start. */
export function restricted(l10n: L10n): Finding {
  return { state: 'unknown', verdict: l10n.t('Not checked in Restricted Mode'), found: [], remedies: [] };
}

/** For what gave no answer in time. `seconds`: how long it was waited for. */
export function silent(seconds: number, l10n: L10n): Finding {
  return {
    state: 'unknown',
    verdict: l10n.t('Did not answer within {0} s', seconds),
    found: [],
    advice: l10n.t('Check again. If it stays silent, the log may say why.'),
    remedies: [{ kind: 'command', id: 'sallyport.showLog', label: l10n.t('Show Log') }],
  };
}

/** For a check that could not be carried out. */
export function failed(why: string, l10n: L10n): Finding {
  return { ...silent(0, l10n), verdict: l10n.t('Could not be checked'), found: [why] };
}

/** A path as a person types it into a POSIX shell. */
export function quoted(path: string): string {
  return /^[\w./:\\@+-]+$/.test(path) ? path : `"${path.replace(/["\\$`]/g, '\\$&')}"`;
}
