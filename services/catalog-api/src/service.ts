import { createMutex } from '@lobbystats/concurrency';
import { OutboxRelay } from '@lobbystats/message-bus';
import {
  composeService,
  createHealth,
  routeTimeout,
  outboxMetrics,
  type ComposedService,
  type Health,
} from '@lobbystats/service-kit';
import type { CatalogApiConfig } from './config.ts';
import { createContext, type CatalogApiOverrides } from './context.ts';
import { BoardCatalog, type BoardCounts } from './leaderboards/board-catalog.ts';
import { EventCatalog, type EventCounts } from './events/event-catalog.ts';
import { TrackedPlayers } from './players/tracked-players.ts';
import { TitleCatalog, type TitleCounts } from './titles/title-catalog.ts';
import { boardRoutes, changeRoutes } from './leaderboards/board.routes.ts';
import { eventRoutes } from './events/event.routes.ts';
import { gameRoutes } from './titles/game.routes.ts';
import { playerRoutes, searchRoutes } from './search/search.routes.ts';
import {
  boardHandler,
  confirmationHandler,
  consumeObservations,
  eventHandler,
  userHandlers,
  titleHandler,
} from './messages/observations.consumer.ts';

export { readCatalogApiConfig, type CatalogApiConfig } from './config.ts';
export { exportCatalog, catalogMigrations, catalogSchema, type CatalogApiOverrides } from './context.ts';

/** In milliseconds; then 503. */
const RESPONSE_TIMEOUT_MS = 850;

export async function createCatalogApi(
  config: CatalogApiConfig,
  overrides: CatalogApiOverrides = {},
): Promise<ComposedService> {
  const { NETWORK_ORIGIN: origin } = config;
  const {
    bus,
    store,
    clock,
    zones,
    logger,
    metrics,
    checkAnswers: validateResponses,
    disposers,
  } = await createContext(config, overrides);
  const titles = new TitleCatalog({ store: store.titles, clock, origin });
  const runExclusive = createMutex();
  const boards = new BoardCatalog({ store: store.boards, players: store.players, runExclusive, titles, clock, origin });
  const players = new TrackedPlayers({ store: store.players, boards: store.boards, runExclusive, clock, origin });
  const events = new EventCatalog({ store: store.events, zones, clock, origin });
  const reader = { titles, boards: store.boards };
  const now = () => Math.floor(clock() / 1000);

  const titleCount = metrics.gauge('titles', 'Titles with a name');
  const titleChanges = metrics.counter('title_changes_total', 'New or changed titles');
  const boardUpdates = metrics.counter('board_updates_total', 'New, changed or removed leaderboards');
  const entryChanges = metrics.counter('board_changes_total', 'Changes of leaderboard entries');
  const eventChanges = metrics.counter('event_changes_total', 'New, changed or withdrawn events');
  const { outbox, onBacklog } = outboxMetrics(metrics);
  const relay = new OutboxRelay({ outbox: store.outbox, bus, logger, onBacklog });
  const onTitles = ({ changed, shown }: TitleCounts) => {
    titleChanges.inc(changed);
    titleCount.set(shown);
    if (changed > 0) relay.wake();
  };
  const onBoards = (observed: BoardCounts) => {
    boardUpdates.inc(observed.boards);
    entryChanges.inc(observed.changes);
    if (observed.boards > 0) relay.wake();
  };
  const onEvents = ({ changed, skipped }: EventCounts) => {
    eventChanges.inc(changed);
    if (changed > 0) relay.wake();
    if (skipped > 0) logger.warn('Skipped announced events with invalid times', { events: skipped });
  };

  const health: Health = createHealth({
    service: 'catalog-api',
    details: { network: { origin, simulated: origin === 'simulated' }, outbox },
  });
  health.dependency('store', () => store.check());
  health.dependency('bus', () => bus.check());

  return composeService({
    name: 'catalog-api',
    config,
    logger,
    metrics,
    health,
    routes: [
      ...gameRoutes(titles),
      ...boardRoutes(reader, now),
      ...changeRoutes(reader),
      ...eventRoutes({ events, titles, now, publicUrl: config.PUBLIC_URL }),
      ...searchRoutes(reader),
      ...playerRoutes(reader),
    ].map((route) => routeTimeout(route, RESPONSE_TIMEOUT_MS)),
    validateResponses,
    disposers,
    startComponents: async (started) => {
      onTitles({ changed: 0, shown: (await titles.view()).size });
      started(() => relay.stop());
      relay.wake();
      const consumer = await consumeObservations(bus, [
        titleHandler(titles, onTitles),
        boardHandler(boards, onBoards),
        confirmationHandler(boards),
        eventHandler(events, onEvents),
        ...userHandlers(players, () => relay.wake()),
      ]);
      started(() => consumer.stop());
    },
  });
}
