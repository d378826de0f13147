/** Settings by their names before 0.1.0. An old name that still has a value is a fault: ignoring it would lose erasures or limits. */
export const RENAMED_SETTINGS: Readonly<Record<string, string>> = {
  FILL_DAYS: 'BACKFILL_DAYS',
  FILL_REGISTERED_DAYS: 'BACKFILL_REGISTERED_DAYS',
  FILL_BOARD_DAYS: 'BACKFILL_LEADERBOARD_DAYS',
  FILL_PLAYER_DAYS: 'BACKFILL_PLAY_TIME_DAYS',
  FORGOTTEN_KEY: 'ERASURE_KEY',
  OWNER_TIMEOUT_MS: 'UPSTREAM_TIMEOUT_MS',
  QUESTION_WAIT_MS: 'QUERY_WAIT_MS',
  QUESTION_TIMEOUT_MS: 'QUERY_TIMEOUT_MS',
};
