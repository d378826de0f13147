export { catalogMigrations } from './database/catalog-migrations.sqlite.ts';
export { catalogSchema } from './database/catalog-schema.mongo.ts';
export { exportCatalog } from './database/export-catalog.sqlite.ts';
