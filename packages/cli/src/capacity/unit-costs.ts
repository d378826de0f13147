interface UnitCost {
  readonly value: number;
  readonly unit: 'ms' | 'bytes' | 'MB' | 'requests' | 'titles' | 'users' | 'events' | 'share';
  readonly per: string;
  /** Sizes at which it was measured, as multiples of the default network. */
  readonly measuredAt: string;
}

/** Values measured with `npm run bench -- growth` and `npm run bench -- stream`. Processor times are in milliseconds of one
 * processor, sizes in bytes. docs/capacity.md shows this table; after a new measurement change the values here and run
 * `npm run docs:generate`.
 */
export const unitCosts = {
  playedTitles: { value: 0.45, unit: 'titles', per: 'open match, at most all titles', measuredAt: '1, 3, 10' },
  usersOnline: { value: 8, unit: 'users', per: 'open match', measuredAt: '1, 3, 10' },
  boardPages: {
    value: 0.7,
    unit: 'requests',
    per: 'leaderboard and hour, beside those of its entries',
    measuredAt: '1',
  },
  entryPages: { value: 0.01, unit: 'requests', per: 'leaderboard entry and hour', measuredAt: '1' },
  changedBoards: {
    value: 0.01,
    unit: 'share',
    per: 'leaderboard and hour, a setting of the simulator',
    measuredAt: '1',
  },
  collectorRequest: { value: 2, unit: 'ms', per: 'page of a game or leaderboard, parser included', measuredAt: '1' },
  collectorHomepage: { value: 0.2, unit: 'ms', per: 'title and slot', measuredAt: '10' },
  seriesTitle: { value: 0.14, unit: 'ms', per: 'title and slot', measuredAt: '1, 10' },
  influxTitle: { value: 1.5, unit: 'ms', per: 'title and slot', measuredAt: '1, 10' },
  influxReads: { value: 2, unit: 'ms', per: 'title and slot, for the pages of all games', measuredAt: 'estimated' },
  influxRead: { value: 0.41, unit: 'ms', per: 'title, of the longest read: the newest activity', measuredAt: '10' },
  catalogConfirmation: { value: 0.018, unit: 'ms', per: 'leaderboard and hour', measuredAt: '1' },
  catalogChange: { value: 52, unit: 'ms', per: 'changed leaderboard', measuredAt: '1' },
  mongoConfirmation: { value: 0.14, unit: 'ms', per: 'leaderboard and hour', measuredAt: '1' },
  mongoChange: { value: 117, unit: 'ms', per: 'changed leaderboard', measuredAt: '1' },
  slotEvents: { value: 4, unit: 'events', per: 'slot, for each live stream', measuredAt: 'by design' },
  userPoll: { value: 0.07, unit: 'ms', per: 'user online and slot', measuredAt: '1, 10' },
  gatewayRequest: { value: 0.06, unit: 'ms', per: 'cached response', measuredAt: '1' },
  nginxRequest: { value: 0.05, unit: 'ms', per: 'response', measuredAt: 'estimated' },
  gatewayEvent: { value: 0.02, unit: 'ms', per: 'live stream and event', measuredAt: '1' },
  streamMemory: { value: 21_000, unit: 'bytes', per: 'live stream', measuredAt: '1' },
  collectorMemory: { value: 550, unit: 'MB', per: 'collector, parser processes included', measuredAt: '10' },
  seriesMemory: { value: 480, unit: 'MB', per: 'series-api, during a backfill', measuredAt: '10' },
  catalogMemory: { value: 160, unit: 'MB', per: 'catalog-api', measuredAt: '1, 10' },
  userMemory: { value: 250, unit: 'MB', per: 'user-api', measuredAt: '1, 10' },
  reputationMemory: { value: 90, unit: 'MB', per: 'reputation-api', measuredAt: '1, 10' },
  gatewayMemory: { value: 260, unit: 'MB', per: 'gateway: its process, and CACHE_BYTES', measuredAt: '1, 10' },
  nginxMemory: { value: 20, unit: 'MB', per: 'nginx', measuredAt: '1, 10' },
  rabbitmqMemory: { value: 450, unit: 'MB', per: 'RabbitMQ', measuredAt: '1, 10' },
  influxMemory: { value: 550, unit: 'MB', per: 'InfluxDB', measuredAt: '1, 10' },
  mongoMemory: { value: 600, unit: 'MB', per: 'MongoDB with a cache of 0.5 GB', measuredAt: '1, 10' },
  mongoEntryMemory: {
    value: 140,
    unit: 'bytes',
    per: 'leaderboard entry, so that all of them are cached',
    measuredAt: '1',
  },
  influxDisk: { value: 160_000, unit: 'bytes', per: 'title and month', measuredAt: '1, 10' },
  catalogDisk: { value: 330, unit: 'bytes', per: 'leaderboard entry', measuredAt: '1' },
  userDisk: { value: 1000, unit: 'bytes', per: 'player', measuredAt: 'estimated' },
} as const satisfies Record<string, UnitCost>;

export type UnitCostName = keyof typeof unitCosts;
