import { allOperations, operations, slotStored } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { NEWEST } from './network.ts';
import { cacheStatus, HIT, runCached, slotData, type CachedGateway } from './running-cache.ts';

const PATHS = ['/', '/live', ...allOperations.filter(({ present }) => present === true).map(({ path }) => path)];

const upstreamsOf = ({ series, catalog, users, reputation }: CachedGateway) => [series, catalog, users, reputation];
const askedOf = (gateway: CachedGateway) =>
  upstreamsOf(gateway).flatMap(({ requests }) => requests.map(({ url }) => url));

/** A gateway that was asked for a path, and what that asked. */
async function runAsked(path: string) {
  const gateway = await runCached();
  await eventually(async () => expect((await gateway.request('/readyz')).status).toBe(200));
  for (const { requests } of upstreamsOf(gateway)) requests.length = 0;
  const { text } = await gateway.request(path);
  return { gateway, text, asked: askedOf(gateway) };
}

describe.each(PATHS)('the present at %s', (path) => {
  it('is fetched again when a slot is stored, before a reader asks', async () => {
    const { gateway, asked } = await runAsked(path);
    await gateway.bus.publish(slotStored, slotData(NEWEST));
    await eventually(() => expect(askedOf(gateway).toSorted()).toEqual([...asked, ...asked].toSorted()));
    await eventually(async () => expect(await cacheStatus(gateway, path)).toBe(HIT));
    expect(askedOf(gateway)).toHaveLength(2 * asked.length);
  });
});

it('the present is the former one while it can not be fetched', async () => {
  const { gateway, text } = await runAsked(operations.getNow.path);
  await gateway.series.stop();
  await gateway.bus.publish(slotStored, slotData(NEWEST));
  await eventually(async () => {
    const answer = await gateway.request(operations.getNow.path);
    expect([answer.status, answer.text]).toEqual([200, text]);
    expect(answer.headers['cache-status']).toContain('detail=unavailable');
  });
});
