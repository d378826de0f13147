import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DAY_SECONDS, operations, SLOT_SECONDS, slotOf } from '@lobbystats/contracts';
import { silentLogger } from '@lobbystats/service-kit';
import { createSeriesApi, readSeriesApiConfig } from '@lobbystats/series-api';
import express from 'express';
import { openSqliteSeriesStore } from '../services/series-api/src/adapters/sqlite/sqlite-series-store.ts';
import { getOnlineSeries } from '../services/series-api/src/domain/site-series.ts';
import { sideBySide, type Benchmark, type Finding } from './benchmark.ts';

const DAYS = 30;
const ROUNDS = 60;
const USE_CASE_BOUND = 1.5;
const origin = 'bench';

/** The 30 days of the site's series: the use case beside the bare driver, the route beside a bare Express route. */
export const series: Benchmark = {
  name: 'series',
  about: `the site's series over ${DAYS} days (8,640 points), on SQLite`,
  run: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lobbystats-series-'));
    const path = join(directory, 'series.sqlite');
    try {
      const now = Math.floor(Date.now() / 1000);
      await storeSlots(path, now);
      const useCase = await measureUseCase(path, now);
      return [useCase.finding, await measureRoute(path, useCase.peerMs)];
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

async function storeSlots(path: string, now: number): Promise<void> {
  const store = openSqliteSeriesStore({ url: `sqlite:${path}`, origin });
  const newest = slotOf(now);
  const slots = Array.from({ length: (DAYS * DAY_SECONDS) / SLOT_SECONDS }, (_, age) => {
    const site = {
      slot: newest - age * SLOT_SECONDS,
      online: (age * 7919) % 5000,
      registered: null,
      lobbies: age % 97,
      missing: 0,
    };
    return { site, titles: [], matches: [] };
  });
  await store.commit({ slots, runs: { put: [], remove: [] } });
  await store.close();
}

async function measureUseCase(path: string, now: number): Promise<{ finding: Finding; peerMs: number }> {
  const store = openSqliteSeriesStore({ url: `sqlite:${path}`, origin });
  const bare = new DatabaseSync(path);
  const select = bare.prepare('SELECT slot, online FROM site_snapshot WHERE slot > ? AND slot <= ? ORDER BY slot');
  const { ours, peer } = await sideBySide(
    ROUNDS,
    async () => JSON.stringify((await getOnlineSeries(store, { days: DAYS, resolution: 'raw' }, now)).body),
    () => Promise.resolve(JSON.stringify(select.all(now - DAYS * DAY_SECONDS, now))),
  );
  bare.close();
  await store.close();
  const finding = {
    what: 'use case and JSON',
    measured: `${ours.toFixed(2)} ms`,
    against: `the bare driver's rows and JSON ${peer.toFixed(2)} ms`,
    ratio: ours / peer,
    bound: USE_CASE_BOUND,
  };
  return { finding, peerMs: peer };
}

async function measureRoute(path: string, driverMs: number): Promise<Finding> {
  const config = readSeriesApiConfig({
    SERIES_URL: `sqlite:${path}`,
    NETWORK_ORIGIN: origin,
    PORT: '0',
    METRICS_PORT: '0',
  });
  const api = await createSeriesApi(config, { logger: silentLogger() });
  await api.start();
  const url = `${api.url()}${operations.getOnlineSeries.path}?days=${DAYS}`;
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  const app = express().get('/series', (_req, res) => res.type('json').send(bytes));
  const bare = await listen(app as RequestListener);
  const read = (address: string) => async () => (await fetch(address)).arrayBuffer();
  const { ours, peer } = await sideBySide(ROUNDS, read(url), read(`${bare.url}/series`));
  await bare.close();
  await api.stop();
  const allowed = peer + USE_CASE_BOUND * driverMs;
  return {
    what: `route, ${(bytes.length / 1024).toFixed(0)} KB`,
    measured: `${ours.toFixed(2)} ms`,
    against: `a bare Express route of the same bytes ${peer.toFixed(2)} ms + ${USE_CASE_BOUND} × the driver`,
    ratio: ours / allowed,
    bound: 1,
  };
}

function listen(listener: RequestListener): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(listener);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => {
            closed();
          });
          server.closeAllConnections();
        });
      resolve({ url: `http://127.0.0.1:${port}`, close });
    });
  });
}
