export { exportSeries } from './adapters/export-series.ts';
export { BUCKET_GRANTS as bucketGrants, bucketPermissions } from './adapters/influx/buckets.ts';
export { BUCKETS as influxBuckets } from './adapters/influx/buckets.ts';
export { countLines, countPoints, exportPoints, importLines, type PointCounts } from './adapters/influx/copy-points.ts';
export {
  clearBucket,
  countStored,
  deleteTitles as deleteInfluxTitles,
  inspectInflux,
  verifyAdminToken,
  type InfluxAdmin,
  type InfluxState,
} from './adapters/influx/influx-admin.ts';
export * as influxManagement from './adapters/influx/management.ts';
export { provisionInflux } from './adapters/influx/provision-influx.ts';
export { migrations as seriesMigrations } from './adapters/sqlite/schema.ts';
export { withdrawSqliteSlots, type Withdrawal, type WithdrawalReport } from './adapters/sqlite/withdraw-slots.ts';
export { withdrawInfluxSlots } from './adapters/influx/withdraw-slots.ts';
export { deleteSqliteTitles } from './adapters/sqlite/delete-titles.ts';
