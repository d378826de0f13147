import { serverDatabases } from '../../src/operator/servers/servers.ts';
import { standaloneStores } from '../../src/operator/standalone/standalone-stores.ts';

describe('the schema version of a database', () => {
  // Only a backup of an older version may lack a collection, so a new one needs a new version.
  it.each(serverDatabases)('$schema.name increases with each migration of the same store in SQLite', ({ schema }) => {
    const stores = new Map(Object.entries(standaloneStores).map(([name, { migrations }]) => [name, migrations.length]));
    expect(schema.version).toBe(stores.get(schema.name));
  });
});
