import type { L10n } from '../l10n.ts';
import { type Finding, fine, inSettings, inTerminal, toInstall } from './finding.ts';
import type { InstallCommand } from './packageManagers.ts';

export interface SandboxFacts {
  platform: NodeJS.Platform;
  /** The person's setting. */
  mode: 'auto' | 'off';
  /** `why` is a clause. */
  available: { ok: true } | { ok: false; why: string };
  /** bubblewrap's program is there. */
  isInstalled: boolean;
  /** Ubuntu's AppArmor keeps programs without a profile from making user namespaces. */
  isHeldByAppArmor: boolean;
  install: InstallCommand;
}

/** The profile that Ubuntu ships for bubblewrap and does not load. */
const loadProfile =
  'sudo apt-get install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo apparmor_parser /etc/apparmor.d/bwrap-userns-restrict';

/** Whether workers can be held. */
export function sandboxFinding(facts: SandboxFacts, l10n: L10n): Finding {
  const { platform, mode, available, isInstalled, isHeldByAppArmor, install } = facts;
  const without = l10n.t('Without it Codex uses its own sandbox, and you are asked before another agent may write.');
  if (mode === 'off') {
    return {
      state: 'warning',
      verdict: l10n.t('Switched off'),
      found: [l10n.t('sallyport.sandbox.mode is "off".')],
      advice: without,
      remedies: [inSettings('sandbox.mode', l10n)],
    };
  }
  if (platform !== 'linux') {
    const verdict = l10n.t('None on this system');
    return {
      state: 'optional',
      verdict,
      found: [l10n.t('Sallyport has a sandbox on Linux only.'), without],
      remedies: [],
    };
  }
  if (available.ok) return fine(l10n.t('Works'), l10n.t('bubblewrap starts programs here.'));
  if (!isInstalled) {
    const remedies = toInstall('bubblewrap', install, 'https://github.com/containers/bubblewrap', l10n);
    const found = [l10n.t('bubblewrap is not installed.')];
    return { state: 'missing', verdict: l10n.t('Not installed'), found, advice: without, remedies };
  }
  return {
    state: isHeldByAppArmor ? 'missing' : 'warning',
    verdict: l10n.t('Refused by this system'),
    found: [available.why],
    advice: isHeldByAppArmor ? l10n.t('Ubuntu has a profile that lets bubblewrap work; it has to be loaded.') : without,
    remedies: isHeldByAppArmor ? inTerminal(loadProfile, l10n) : [],
  };
}

export interface TmuxFacts {
  platform: NodeJS.Platform;
  place: { ok: true; file: string } | { ok: false; why: string };
  version: string | undefined;
  servers: number;
  panes: number;
  /** Why servers could not be asked. */
  failures: readonly string[];
  install: InstallCommand;
}

/** Where Cursor sessions outside the editor can be answered. */
export function tmuxFinding(facts: TmuxFacts, l10n: L10n): Finding {
  const { platform, place, version, servers, panes, failures, install } = facts;
  if (!place.ok) {
    const own = l10n.t('Only for Cursor agents outside the editor. Those that Sallyport starts need no tmux.');
    const verdict = platform === 'win32' ? l10n.t('None on this system') : l10n.t('Not installed');
    const remedies =
      platform === 'win32' ? [] : toInstall('tmux', install, 'https://github.com/tmux/tmux/wiki/Installing', l10n);
    return { state: 'optional', verdict, found: [own], remedies };
  }
  const found = [version === undefined ? place.file : l10n.t('Version {0}: {1}', version, place.file)];
  if (failures.length > 0) {
    const advice = l10n.t('Agents in these servers cannot be answered from here. Look at them in a terminal.');
    const remedies = inTerminal('tmux list-sessions', l10n);
    return {
      state: 'warning',
      verdict: l10n.t('A server does not answer'),
      found: [...found, ...failures],
      advice,
      remedies,
    };
  }
  const running = servers === 0 ? l10n.t('No server runs.') : l10n.t('Servers: {0}, panes: {1}', servers, panes);
  return fine(l10n.t('Works'), ...found, running);
}

/** Whether a terminal of Sallyport's own opens. `why`: the reason when it does not. */
export function terminalsFinding(why: string | undefined, l10n: L10n): Finding {
  if (why === undefined) return fine(l10n.t('Works'), l10n.t('A terminal was opened and closed again.'));
  return {
    state: 'warning',
    verdict: l10n.t('Cannot be opened'),
    found: [why],
    advice: l10n.t('Start Cursor agents in tmux instead: they are seen and can be answered there.'),
    remedies: inTerminal('tmux new-session cursor-agent', l10n),
  };
}

export interface GitFacts {
  place: { ok: true; file: string } | { ok: false; why: string };
  install: InstallCommand;
}

/** What the changes of a run are told by. */
export function gitFinding({ place, install }: GitFacts, l10n: L10n): Finding {
  if (place.ok) return fine(l10n.t('Works'), place.file);
  return {
    state: 'missing',
    verdict: l10n.t('Not installed'),
    found: [place.why],
    advice: l10n.t('Runs work without it, but what they changed cannot be shown.'),
    remedies: toInstall('git', install, 'https://git-scm.com/downloads', l10n),
  };
}
