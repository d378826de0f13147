import { join } from 'node:path';
import { openCatalogContents } from '@lobbystats/catalog-api/admin';
import { openCollected } from '@lobbystats/collector/admin';
import { openSeriesContents } from '@lobbystats/series-api/admin';
import { fileExists, OperatorError, type Env } from '@lobbystats/service-kit';
import { openUserModeration } from '@lobbystats/user-api/admin';
import { readDeployment, withSettings } from '../operator/command/deployment.ts';
import { influxAdmin, mongoUrl, originOf } from '../operator/servers/servers.ts';
import { identityOf, readStore, standaloneStores } from '../operator/standalone/standalone-stores.ts';

type StoreName = 'collector' | 'catalog' | 'series' | 'users';

interface Location {
  readonly origin: string;
  readonly urlOf: (store: StoreName) => string;
  /** InfluxDB needs it, SQLite does not. */
  readonly access?: { readonly token: string; readonly org: string };
}

/**
 * Opens the stores of a deployment, beside its running services, for `work`. Each is opened when it is needed, and closed
 * after the work.
 *
 * @throws OperatorError when there are none
 */
export async function withStores<Result>(
  { env, clock, settings }: { env: Env; clock: () => number; settings: string | undefined },
  work: (stores: ReturnType<typeof storesAt>['stores']) => Promise<Result>,
): Promise<Result> {
  const { stores, close } = storesAt(await locate(withSettings(env, settings)), clock);
  try {
    return await work(stores);
  } finally {
    await close();
  }
}

function storesAt({ origin, urlOf, access }: Location, clock: () => number) {
  const opened: Promise<{ close(): Promise<void> }>[] = [];
  const once = <Store extends { close(): Promise<void> }>(open: () => Promise<Store>) => {
    let store: Promise<Store> | undefined;
    return () => {
      if (store === undefined) opened.push((store = open()));
      return store;
    };
  };
  const stores = {
    collected: once(() => openCollected(urlOf('collector'), origin)),
    catalog: once(() => openCatalogContents({ url: urlOf('catalog'), origin })),
    series: once(() => openSeriesContents({ url: urlOf('series'), origin, clock, ...access })),
    users: once(() => openUserModeration({ url: urlOf('users'), origin, erasureKey: undefined, clock })),
  };
  const close = async () => {
    for (const store of await Promise.allSettled(opened)) if (store.status === 'fulfilled') await store.value.close();
  };
  return { stores, close };
}

async function locate(env: Env): Promise<Location> {
  const deployment = readDeployment(env);
  if (deployment.form === 'servers') {
    const { url, ...access } = influxAdmin(deployment);
    const urlOf = (store: StoreName) => (store === 'series' ? url : mongoUrl(deployment, store));
    return { origin: await originOf(deployment), urlOf, access };
  }
  const pathOf = (store: StoreName) => join(deployment.directory, standaloneStores[store].file);
  if (!fileExists(pathOf('catalog'))) {
    throw new OperatorError(`there is no store ${pathOf('catalog')}: set DATA_DIR to the directory of npm start`);
  }
  const { origin } = await readStore(pathOf('catalog'), identityOf);
  if (origin === undefined) throw new OperatorError(`${pathOf('catalog')} is not a store of Lobbystats`);
  return { origin, urlOf: (store) => `sqlite:${pathOf(store)}` };
}
