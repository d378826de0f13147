import { createMutex } from '@lobbystats/service-kit/concurrency';
import {
  baseSettings,
  createServiceRelay,
  defineService,
  openServiceBus,
  readConfig,
  setting,
  type Env,
  type Logger,
  type Metrics,
} from '@lobbystats/service-kit';
import { z } from 'zod';
import { ianaZones } from './events/iana-zones.ts';
import { BoardCatalog, type BoardCounts } from './ingest/board-catalog.ts';
import { EventCatalog, type EventCounts } from './events/event-catalog.ts';
import { openCatalogStore } from './open-store.ts';
import { TrackedPlayers } from './players/tracked-players.ts';
import { catalogRoutes } from './routes.ts';
import { TitleCatalog, type TitleCounts } from './titles/title-catalog.ts';
import {
  boardHandler,
  confirmationHandler,
  eventHandler,
  iconHandler,
  titleHandler,
  userHandlers,
  withdrawalHandler,
} from './messages/observations.bus.ts';

/** Printed in .env.example. */
export const settings = z.object({
  ...baseSettings(8082),
  DATABASE_URL: setting.store({ protocols: ['mongodb', 'mongodb+srv'], default: 'sqlite:./data/catalog.sqlite' }),
  /** Makes the calendar's UIDs unique. */
  PUBLIC_URL: setting.url({ protocols: ['http:', 'https:'], default: 'http://127.0.0.1:8080' }),
});

export const catalogApi = defineService({
  name: 'catalog-api',
  readConfig: (env: Env) => readConfig(settings, env),
  parts: {
    store: ({ config }) => openCatalogStore(config.DATABASE_URL, config.NETWORK_ORIGIN),
    bus: openServiceBus('catalog-api'),
  },
  compose: ({ config, bus, store, clock, now, logger, metrics }) => {
    const { NETWORK_ORIGIN: origin, PUBLIC_URL: publicUrl } = config;
    const { icons, contents } = store;
    const about = { clock, origin };
    const runExclusive = createMutex();
    const relay = createServiceRelay(store.outbox, { bus, logger, metrics });
    const { onTitles, onBoards, onEvents } = recordChanges({ logger, metrics, wake: relay.wake });

    const titles = new TitleCatalog({ store: store.titles, ...about });
    const boards = new BoardCatalog({ store: store.boards, players: store.players, runExclusive, titles, ...about });
    const players = new TrackedPlayers({ store: store.players, boards: store.boards, runExclusive, ...about });
    const events = new EventCatalog({ store: store.events, zones: ianaZones, ...about });
    const handlers = [
      titleHandler(titles, onTitles),
      iconHandler({ store: icons, ...about }, relay.wake),
      boardHandler(boards, titles, onBoards),
      withdrawalHandler({ titles: store.titles, contents, ...about }, relay.wake),
      confirmationHandler(boards),
      eventHandler(events, onEvents),
      ...userHandlers(players, relay.wake),
    ];
    return {
      routes: catalogRoutes({ titles, icons, boards: store.boards, events, now, publicUrl }),
      relay,
      components: [
        async () => {
          onTitles({ changed: 0, shown: (await titles.view()).size });
          return bus.consume({ queue: 'catalog-api', handlers });
        },
      ],
    };
  },
});

function recordChanges({ logger, metrics, wake }: { logger: Logger; metrics: Metrics; wake: () => void }) {
  const titleCount = metrics.gauge('titles', 'Titles with a name');
  const titleChanges = metrics.counter('title_changes_total', 'New or changed titles');
  const boardUpdates = metrics.counter('board_updates_total', 'New, changed or removed leaderboards');
  const entryChanges = metrics.counter('board_changes_total', 'Changes of leaderboard entries');
  const boardRefusals = metrics.counter(
    'leaderboards_refused_total',
    'New leaderboards and entries, and changes of entries, above the limits of a day or of all',
    ['kind'],
  );
  const eventRefusals = metrics.counter(
    'events_refused_total',
    'New events of announcements that had too many of them',
  );
  const eventChanges = metrics.counter('event_changes_total', 'New, changed or withdrawn events');
  return {
    onTitles: ({ changed, shown }: TitleCounts) => {
      titleChanges.inc(changed);
      titleCount.set(shown);
      if (changed > 0) wake();
    },
    onBoards: (observed: BoardCounts) => {
      boardUpdates.inc(observed.boards);
      entryChanges.inc(observed.changes);
      const refused = Object.entries<number>({ ...observed.refused }).filter(([, count]) => count > 0);
      for (const [kind, count] of refused) boardRefusals.inc({ kind }, count);
      if (refused.length > 0)
        logger.error('Leaderboards or their changes refused: there are too many of them', observed.refused);
      if (observed.boards > 0) wake();
    },
    onEvents: ({ changed, skipped, refused }: EventCounts) => {
      eventChanges.inc(changed);
      eventRefusals.inc(refused);
      if (refused > 0) logger.error('New events refused: there are too many of them', { events: refused });
      if (changed > 0) wake();
      if (skipped > 0) logger.warn('Skipped announced events with invalid times', { events: skipped });
    },
  };
}
