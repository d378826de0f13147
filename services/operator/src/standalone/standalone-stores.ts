import { catalogMigrations } from '@lobbystats/catalog-api/admin';
import { collectorMigrations } from '@lobbystats/collector/admin';
import { journalMigrations } from '@lobbystats/message-bus';
import { reputationMigrations } from '@lobbystats/reputation-api/admin';
import { seriesMigrations } from '@lobbystats/series-api/admin';
import { userMigrations } from '@lobbystats/user-api/admin';

export interface StandaloneStore {
  readonly file: string;
  readonly migrations: readonly string[];
}

export const standaloneStores = {
  bus: { file: 'bus.sqlite', migrations: journalMigrations },
  collector: { file: 'collector.sqlite', migrations: collectorMigrations },
  series: { file: 'series.sqlite', migrations: seriesMigrations },
  catalog: { file: 'catalog.sqlite', migrations: catalogMigrations },
  people: { file: 'users.sqlite', migrations: userMigrations },
  reputation: { file: 'reputation.sqlite', migrations: reputationMigrations },
} as const satisfies Record<string, StandaloneStore>;
