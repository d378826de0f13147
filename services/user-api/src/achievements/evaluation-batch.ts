import type { EpochSeconds } from '@lobbystats/contracts';
import type { Definitions } from './definitions.ts';
import type { DefinitionOf } from './definition-cache.ts';
import { playerKey } from '../players/player-key.ts';
import { unlockEarned } from './unlock.ts';
import type { PlayerRecord, UserRecord } from '../users/user-record.ts';
import type { NewUnlock } from '../users/user-commit-plan.ts';

export interface EvaluationContext {
  readonly definitions: Definitions;
  readonly definitionOf: DefinitionOf;
  readonly players: ReadonlyMap<string, PlayerRecord>;
  readonly unlockedAt: EpochSeconds;
}

export interface EvaluationResult {
  readonly users: readonly UserRecord[];
  readonly unlocks: readonly NewUnlock[];
}

export function evaluateBatch(batch: readonly UserRecord[], judgement: EvaluationContext): EvaluationResult {
  const { definitions, definitionOf, players, unlockedAt } = judgement;
  const users: UserRecord[] = [];
  const unlocks: NewUnlock[] = [];
  for (const before of batch) {
    const player = players.get(playerKey(before.gamertag) ?? '');
    const earned = unlockEarned(before, player, definitions, () => unlockedAt);
    const score = scoreOf(earned.user, definitionOf);
    if (earned.unlocks.length === 0 && score === before.score) continue;
    users.push({ ...earned.user, score });
    unlocks.push(...earned.unlocks);
  }
  return { users, unlocks };
}

function scoreOf({ unlocked }: UserRecord, definitionOf: DefinitionOf): number {
  return unlocked.reduce((sum, id) => sum + (definitionOf(id)?.points ?? 0), 0);
}
