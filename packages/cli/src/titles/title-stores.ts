import { join } from 'node:path';
import { openCatalogRemoval } from '@lobbystats/catalog-api/admin';
import { openCollectedTitles } from '@lobbystats/collector/admin';
import { fileExists, OperatorError } from '@lobbystats/service-kit';
import { deleteInfluxTitles, deleteSqliteTitles } from '@lobbystats/series-api/admin';
import type { Deployment, Servers } from '../operator/command/deployment.ts';
import { influxAdmin, mongoUrl, originOf } from '../operator/servers/servers.ts';
import { identityOf, readStore, standaloneStores } from '../operator/standalone/standalone-stores.ts';

export interface TitleStores {
  readonly catalog: Awaited<ReturnType<typeof openCatalogRemoval>>;
  readonly collected: Awaited<ReturnType<typeof openCollectedTitles>>;
  readonly deleteSeries: (titleIds: readonly string[]) => Promise<void>;
}

/**
 * Opens the stores of titles for `work`, beside running services, and closes them.
 *
 * @throws OperatorError when there are none
 */
export async function withTitleStores<Result>(
  deployment: Deployment,
  clock: () => number,
  work: (stores: TitleStores) => Promise<Result>,
): Promise<Result> {
  const { origin, urls, deleteSeries } = await locate(deployment);
  const catalog = await openCatalogRemoval({ url: urls.catalog, origin, clock });
  try {
    const collected = await openCollectedTitles(urls.collector, origin);
    try {
      return await work({ catalog, collected, deleteSeries });
    } finally {
      await collected.close();
    }
  } finally {
    await catalog.close();
  }
}

interface Location {
  readonly origin: string;
  readonly urls: { readonly catalog: string; readonly collector: string };
  readonly deleteSeries: TitleStores['deleteSeries'];
}

async function locate(deployment: Deployment): Promise<Location> {
  if (deployment.form === 'servers') return locateServers(deployment);
  const pathOf = (store: keyof typeof standaloneStores) => join(deployment.directory, standaloneStores[store].file);
  if (!fileExists(pathOf('catalog'))) {
    throw new OperatorError(`there is no store ${pathOf('catalog')}: set DATA_DIR to the directory of npm start`);
  }
  const { origin } = await readStore(pathOf('catalog'), identityOf);
  if (origin === undefined) throw new OperatorError(`${pathOf('catalog')} is not a store of Lobbystats`);
  const series = { url: `sqlite:${pathOf('series')}`, origin };
  return {
    origin,
    urls: { catalog: `sqlite:${pathOf('catalog')}`, collector: `sqlite:${pathOf('collector')}` },
    deleteSeries: async (titleIds) => deleteSqliteTitles(series, titleIds),
  };
}

async function locateServers(servers: Servers): Promise<Location> {
  return {
    origin: await originOf(servers),
    urls: { catalog: mongoUrl(servers, 'catalog'), collector: mongoUrl(servers, 'collector') },
    deleteSeries: async (titleIds) => {
      await deleteInfluxTitles(influxAdmin(servers), titleIds);
    },
  };
}
