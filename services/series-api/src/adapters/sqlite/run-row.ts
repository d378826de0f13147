import type { MatchRun } from '../../domain/match-runs.ts';

export type RunRow = Omit<MatchRun, 'titleId'>;

export const RUN_COLUMNS = `host.name AS host, started_at AS startedAt, ended_at AS endedAt, players,
  max_players AS maxPlayers, peak_players AS peakPlayers`;
