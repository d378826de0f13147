import { catalogMigrations } from '@lobbystats/catalog-api';
import { collectorMigrations } from '@lobbystats/collector';
import { journalMigrations } from '@lobbystats/message-bus';
import { reputationMigrations } from '@lobbystats/reputation-api';
import { seriesMigrations } from '@lobbystats/series-api';
import { userMigrations } from '@lobbystats/user-api';

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
