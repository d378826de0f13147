export { exportBackfills } from './backfills/export-backfills.sqlite.ts';
export { migrations as collectorMigrations } from './database/collector-migrations.sqlite.ts';
export { collectorSchema } from './database/collector-schema.mongo.ts';
