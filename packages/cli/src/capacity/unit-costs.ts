interface UnitCost {
  readonly value: number;
  readonly unit: 'ms' | 'bytes' | 'MB' | 'requests' | 'titles' | 'users' | 'share';
  readonly per: string;
  /** Sizes at which it was measured, as multiples of the default network. */
  readonly measuredAt: string;
}

/** Values measured with `npm run bench -- growth`. Processor times are in milliseconds of one
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
    measuredAt: '1, 3, 10',
  },
  entryPages: { value: 0.01, unit: 'requests', per: 'leaderboard entry and hour', measuredAt: '1, 3, 10' },
  changedBoards: {
    value: 0.01,
    unit: 'share',
    per: 'leaderboard and hour, a setting of the simulator',
    measuredAt: '1',
  },
  collectorPage: { value: 3.5, unit: 'ms', per: 'page that is read whole, parser included', measuredAt: '1, 3, 10' },
  collectorUnchanged: { value: 0.8, unit: 'ms', per: 'unchanged page of a leaderboard', measuredAt: '1, 3, 10' },
  collectorHomepage: { value: 0.2, unit: 'ms', per: 'title and slot', measuredAt: '10' },
  seriesTitle: { value: 0.14, unit: 'ms', per: 'title and slot', measuredAt: '1, 10' },
  seriesMinute: { value: 1500, unit: 'ms', per: 'minute: reads of clients', measuredAt: '1, 10' },
  influxTitle: { value: 1.5, unit: 'ms', per: 'title and slot', measuredAt: '1, 10' },
  influxMinute: { value: 3500, unit: 'ms', per: 'minute: reads of clients', measuredAt: '1, 10' },
  influxRead: { value: 0.47, unit: 'ms', per: 'title, of the longest read: the ranking of 30 days', measuredAt: '10' },
  catalogConfirmation: { value: 0.018, unit: 'ms', per: 'leaderboard and hour', measuredAt: '1' },
  catalogChange: { value: 52, unit: 'ms', per: 'changed leaderboard', measuredAt: '1' },
  catalogMinute: { value: 1300, unit: 'ms', per: 'minute: reads of clients', measuredAt: '1, 10' },
  mongoConfirmation: { value: 0.14, unit: 'ms', per: 'leaderboard and hour', measuredAt: '1' },
  mongoChange: { value: 117, unit: 'ms', per: 'changed leaderboard', measuredAt: '1' },
  mongoMinute: { value: 3000, unit: 'ms', per: 'minute: replica set, leases, reads of clients', measuredAt: '1, 10' },
  rabbitmqMinute: { value: 1800, unit: 'ms', per: 'minute', measuredAt: '1, 10' },
  userPoll: { value: 0.07, unit: 'ms', per: 'user online and slot', measuredAt: '1, 10' },
  userMinute: { value: 800, unit: 'ms', per: 'minute of user-api', measuredAt: '1, 10' },
  reputationMinute: { value: 600, unit: 'ms', per: 'minute of reputation-api', measuredAt: '1, 10' },
  gatewayRequest: { value: 0.26, unit: 'ms', per: 'response, at 333 a second', measuredAt: '10' },
  nginxRequest: { value: 0.17, unit: 'ms', per: 'response, at 333 a second', measuredAt: '10' },
  gatewayStream: { value: 0.4, unit: 'ms', per: 'live stream and slot, with its events', measuredAt: '10' },
  nginxStream: { value: 1.7, unit: 'ms', per: 'live stream and slot, with its events', measuredAt: '10' },
  streamMemory: { value: 14_000, unit: 'bytes', per: 'live stream, in the gateway', measuredAt: '10' },
  nginxStreamMemory: { value: 19_000, unit: 'bytes', per: 'live stream, in nginx', measuredAt: '10' },
  collectorMemory: { value: 660, unit: 'MB', per: 'collector, parser processes included', measuredAt: '1, 3, 10' },
  seriesMemory: { value: 420, unit: 'MB', per: 'series-api, during a backfill', measuredAt: '1, 3, 10' },
  catalogMemory: { value: 210, unit: 'MB', per: 'catalog-api, during a backfill', measuredAt: '1, 3, 10' },
  userMemory: { value: 250, unit: 'MB', per: 'user-api, during a backfill', measuredAt: '1, 3, 10' },
  reputationMemory: { value: 120, unit: 'MB', per: 'reputation-api', measuredAt: '1, 3, 10' },
  gatewayMemory: { value: 270, unit: 'MB', per: 'gateway: its process, and CACHE_BYTES', measuredAt: '1, 3, 10' },
  nginxMemory: { value: 20, unit: 'MB', per: 'nginx', measuredAt: '1, 3, 10' },
  rabbitmqMemory: { value: 520, unit: 'MB', per: 'RabbitMQ, during a backfill', measuredAt: '1, 3, 10' },
  influxMemory: { value: 1600, unit: 'MB', per: 'InfluxDB under load, up to INFLUXDB_GO_MEMORY', measuredAt: '3, 10' },
  mongoMemory: { value: 700, unit: 'MB', per: 'MongoDB', measuredAt: '1, 3, 10' },
  mongoEntryMemory: { value: 580, unit: 'bytes', per: 'leaderboard entry, during a backfill', measuredAt: '10' },
  rabbitmqDisk: { value: 2000, unit: 'MB', per: 'RabbitMQ: its log, and queues of a backfill', measuredAt: '10' },
  influxDisk: { value: 215_000, unit: 'bytes', per: 'title and month', measuredAt: '10' },
  mongoDisk: { value: 300, unit: 'MB', per: 'MongoDB: its log', measuredAt: '1, 10' },
  entryDisk: { value: 610, unit: 'bytes', per: 'leaderboard entry, with indexes', measuredAt: '10' },
  userDisk: { value: 1000, unit: 'bytes', per: 'player who was seen', measuredAt: 'estimated' },
} as const satisfies Record<string, UnitCost>;

export type UnitCostName = keyof typeof unitCosts;
