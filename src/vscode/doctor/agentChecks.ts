import { type Health, health } from '../../journal/health.ts';
import type { Engine } from '../../engines/engine.ts';
import type { EngineId } from '../../protocol/model.ts';
import type { L10n } from '../l10n.ts';
import { type AgentFacts, agentFinding } from './agentFinding.ts';
import { type Check, within } from './check.ts';
import type { DoctorDeps } from './doctorDeps.ts';

/** How long a CLI may take to say who it is, and then who is signed in. */
const answerMs = 5_000;

/** One check for each agent's CLI. */
export function agentChecks(deps: DoctorDeps, l10n: L10n): Check[] {
  return [...deps.room.engines.values()].map((engine) => ({
    id: engine.id,
    title: engine.title,
    group: 'agents',
    startsPrograms: true,
    // Finding programs may ask the login shell; then come two answers.
    limitMs: 4 * answerMs,
    look: async () => agentFinding(await lookAt(engine, deps), l10n),
  }));
}

async function lookAt(engine: Engine, { room, clock }: DoctorDeps): Promise<AgentFacts> {
  const { roster, config } = room;
  const place = await roster.where(engine);
  const readiness = place.ok ? await within(clock, answerMs, roster.ready(engine)) : undefined;
  const isReady = readiness !== undefined && readiness !== 'silent' && readiness.ok;
  return {
    engine,
    place,
    isConfigured: config.binaries[engine.id] !== undefined,
    readiness,
    signIn: isReady ? await roster.signIn(engine) : undefined,
    levels: config.tiers.flatMap((tier, index) => (tier.engine === engine.id ? [index + 1] : [])),
    illHealth: illHealthOf(engine.id, health(await room.journal.read(), clock.now())),
    limitSeconds: answerMs / 1000,
  };
}

function illHealthOf(id: EngineId, all: Record<EngineId, Health>): string | undefined {
  const one = all[id];
  return one.healthy ? undefined : one.why;
}
