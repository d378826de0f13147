import { permissionsPage, permissionTable } from '../../src/provision/permissions/permission-table.ts';

const allowed = permissionTable.filter(({ isAllowed }) => isAllowed);
const describeCell = ({ principal, action, resource }: (typeof allowed)[number]) =>
  `${principal} ${action} ${resource}`;

describe('permission table', () => {
  it('is printed with the users of each cell', () => {
    const lines = permissionsPage().split('\n');
    expect(lines).toContain('| `catalog-api` | catalog-api | catalog-api | – | – | – |');
    expect(lines).toContain('| `snapshots`, `daily` | all | series-api | series-api | series-api | series-api | all |');
  });

  it('allows no service to declare, bind or delete in RabbitMQ, or to administer a server', () => {
    const administration =
      /^(bind|declare|delete$|open|create an? (user|token|bucket|task)|grant|change its|list|set|read the)/;
    expect(allowed.filter(({ action }) => administration.test(action)).map(describeCell)).toEqual([]);
  });

  it('allows each database and queue to one service only', () => {
    const owned = allowed.filter(
      ({ kind, action }) => kind === 'database' || (kind === 'queue' && action === 'consume'),
    );
    const principalsByResource = new Map<string, Set<string>>();
    for (const { kind, resource, principal } of owned) {
      const key = `${kind} ${resource}`;
      principalsByResource.set(key, (principalsByResource.get(key) ?? new Set()).add(principal));
    }
    expect([...principalsByResource].filter(([, principals]) => principals.size !== 1)).toEqual([]);
  });

  it('allows only series-api to write to the buckets', () => {
    const writers = allowed.filter(({ server, action }) => server === 'InfluxDB' && !action.startsWith('read'));
    expect([...new Set(writers.map(({ principal }) => principal))]).toEqual(['series-api']);
  });

  it('contains each combination once', () => {
    const cells = permissionTable.map(({ server, kind, principal, resource, action }) =>
      [server, kind, principal, resource, action].join(' / '),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});
