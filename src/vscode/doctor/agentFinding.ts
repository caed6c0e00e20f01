import type { Readiness, SignInAnswer } from '../../delegation/roster.ts';
import type { Engine } from '../../engines/engine.ts';
import { commandIn } from '../hintCommand.ts';
import type { L10n } from '../l10n.ts';
import { type Finding, inSettings, inTerminal, quoted } from './finding.ts';

/** What was found out about an agent's CLI. */
export interface AgentFacts {
  engine: Pick<Engine, 'id' | 'title' | 'installHint' | 'signInHint' | 'signIn' | 'binaries'>;
  /** Where its program is, as an absolute path, or why there is none. */
  place: { ok: true; file: string } | { ok: false; why: string };
  /** A setting names the place. */
  isConfigured: boolean;
  /** `silent`: it did not say who it is. Undefined where there is no program. */
  readiness: Readiness | 'silent' | undefined;
  /** Undefined where nobody could be asked. */
  signIn: SignInAnswer | undefined;
  /** The delegation levels that name it, 1 the cheapest. */
  levels: readonly number[];
  /** Why it is passed over for a while. */
  illHealth: string | undefined;
  /** How long it was waited for. */
  limitSeconds: number;
}

/** One CLI: where it is, which it is, and whether somebody is signed in. */
export function agentFinding(facts: AgentFacts, l10n: L10n): Finding {
  const { place, readiness } = facts;
  const levels =
    facts.levels.length === 0 ? [] : [l10n.t('Delegation levels that ask for it: {0}', facts.levels.join(', '))];
  if (!place.ok) return notInstalled(facts, place.why, levels, l10n);
  if (readiness === undefined || readiness === 'silent') return hung(facts, place.file, levels, l10n);
  if (!readiness.ok) return notUsable(facts, place.file, readiness.message, levels, l10n);
  const found = [l10n.t('Version {0}: {1}', readiness.installed.version, place.file), ...levels];
  return withSignIn(facts, place.file, found, l10n);
}

function notInstalled({ engine, isConfigured }: AgentFacts, why: string, levels: string[], l10n: L10n): Finding {
  const settings = inSettings(`${engine.id}.path`, l10n);
  const verdict = l10n.t('Not installed');
  if (isConfigured) {
    const advice = l10n.t(
      'Correct the setting sallyport.{0}.path, or empty it to have the program looked for.',
      engine.id,
    );
    return { state: 'missing', verdict, found: [why, ...levels], advice, remedies: [settings] };
  }
  return {
    state: 'missing',
    absent: true,
    verdict,
    found: [why, ...levels],
    advice: l10n.t(
      'Install it in a terminal, then sign in. If it lies in an unusual place, name that in the settings.',
    ),
    remedies: [...inTerminal(commandIn(engine.installHint), l10n), settings],
  };
}

function hung({ limitSeconds }: AgentFacts, file: string, levels: string[], l10n: L10n): Finding {
  return {
    state: 'unknown',
    verdict: l10n.t('Did not answer within {0} s', limitSeconds),
    found: [file, ...levels],
    advice: l10n.t('It was asked for its version and said nothing. Run it in a terminal to see what it waits for.'),
    remedies: inTerminal(`${quoted(file)} --version`, l10n),
  };
}

/** The program is there and is another one, too old, or does not start; `why` names it and says what to run. */
function notUsable({ engine }: AgentFacts, file: string, why: string, levels: string[], l10n: L10n): Finding {
  const update = /Run `([^`]+)`/.exec(why)?.[1];
  return {
    state: 'missing',
    verdict: update === undefined ? l10n.t('Not usable') : l10n.t('Too old'),
    found: [why.startsWith(file) ? why : `${file}: ${why}`, ...levels],
    advice: l10n.t('If another program of that name is the right one, name its path in the settings.'),
    remedies: [...inTerminal(update ?? commandIn(engine.installHint), l10n), inSettings(`${engine.id}.path`, l10n)],
  };
}

function withSignIn(facts: AgentFacts, file: string, found: readonly string[], l10n: L10n): Finding {
  const { engine, signIn, illHealth, limitSeconds } = facts;
  const ask = `${command(facts, file)} ${engine.signIn.args.join(' ')}`;
  switch (signIn?.state) {
    case 'signedIn': {
      const how = signIn.how === undefined ? [] : [l10n.t('Signed in by: {0}', signIn.how)];
      const signedIn = { verdict: l10n.t('Signed in'), account: signIn.account, remedies: [] };
      if (illHealth === undefined) return { ...signedIn, state: 'ok', found: [...found, ...how] };
      const advice = l10n.t('It is tried again by itself after a while.');
      return { ...signedIn, state: 'warning', found: [...found, ...how, illHealth], advice };
    }
    case 'signedOut':
      return {
        state: 'missing',
        verdict: l10n.t('Not signed in'),
        found,
        advice: l10n.t(
          'Sign in to {0} in a terminal. This line checks again when the command has ended.',
          engine.title,
        ),
        remedies: inTerminal(signInCommand(facts, file), l10n),
      };
    case 'silent':
      return {
        state: 'warning',
        verdict: l10n.t('Whether it is signed in is not known'),
        found: [...found, l10n.t('`{0}` did not answer within {1} s.', ask, limitSeconds)],
        advice: l10n.t('Run that in a terminal to see what it waits for: often the network.'),
        remedies: inTerminal(ask, l10n),
      };
    case 'notAsked':
    case 'unknown':
    case undefined:
      return {
        state: 'warning',
        verdict: l10n.t('Whether it is signed in is not known'),
        found: [...found, l10n.t('This version does not tell. A run says it when nobody is.')],
        remedies: inTerminal(signInCommand(facts, file), l10n),
      };
  }
}

/** What a person types: the name, unless a setting says which program it is. */
function command({ engine, isConfigured }: AgentFacts, file: string): string {
  return isConfigured ? quoted(file) : (engine.binaries[0] ?? file);
}

function signInCommand(facts: AgentFacts, file: string): string | undefined {
  const [, ...rest] = commandIn(facts.engine.signInHint)?.split(' ') ?? [];
  return [command(facts, file), ...rest].join(' ');
}
