export { exportSeries } from './database/export-series.sqlite.ts';
export { BUCKET_GRANTS as bucketGrants, bucketPermissions } from './database/buckets.influx.ts';
export { BUCKETS as influxBuckets } from './database/buckets.influx.ts';
export { countLines, countPoints, exportPoints, importLines, type PointCounts } from './database/copy-points.influx.ts';
export {
  clearBucket,
  deleteTitles as deleteInfluxTitles,
  inspectInflux,
  verifyAdminToken,
  type InfluxAdmin,
  type InfluxState,
} from './database/series-admin.influx.ts';
export * as influxManagement from './database/management.influx.ts';
export { provisionBuckets, provisionInflux } from './database/provision.influx.ts';
export { migrations as seriesMigrations } from './database/series-schema.sqlite.ts';
export { withdrawSqliteSlots, type Withdrawal, type WithdrawalReport } from './database/withdraw-slots.sqlite.ts';
export { withdrawInfluxSlots } from './database/withdraw-influx-slots.sqlite.ts';
export { deleteSqliteTitles } from './database/delete-titles.sqlite.ts';
