import type { MatchRun } from '../../domain/match-runs.ts';

/** A run as a row of `match_run JOIN host`, without its title. */
export type RunRow = Omit<MatchRun, 'titleId'>;

/** The columns of a {@link RunRow}. */
export const RUN_COLUMNS = `host.name AS host, started_at AS startedAt, ended_at AS endedAt, players,
  max_players AS maxPlayers, peak_players AS peakPlayers`;
