import { OutboxRelay } from '@lobbystats/message-bus';
import {
  composeService,
  createHealth,
  inTime,
  serially,
  watchOutbox,
  type ComposedService,
  type Health,
} from '@lobbystats/service-kit';
import type { CatalogApiConfig } from './config.ts';
import { createContext, type CatalogApiOverrides } from './context.ts';
import { BoardCatalog, type BoardsObserved } from './domain/board-catalog.ts';
import { EventCatalog, type EventsObserved } from './domain/event-catalog.ts';
import { KnownPlayers } from './domain/known-players.ts';
import { TitleCatalog, type Observed } from './domain/title-catalog.ts';
import { boardRoutes } from './http/board-routes.ts';
import { changeRoutes } from './http/change-routes.ts';
import { eventRoutes } from './http/event-routes.ts';
import { gameRoutes } from './http/game-routes.ts';
import { playerRoutes } from './http/player-routes.ts';
import { searchRoutes } from './http/search-routes.ts';
import { boardHandler, confirmationHandler } from './messaging/board-handler.ts';
import { consumeObservations } from './messaging/consume-observations.ts';
import { eventHandler } from './messaging/event-handler.ts';
import { personHandlers } from './messaging/person-handlers.ts';
import { titleHandler } from './messaging/title-handler.ts';

export { readCatalogApiConfig, type CatalogApiConfig } from './config.ts';
export { carriedCatalog, catalogMigrations, catalogSchema, type CatalogApiOverrides } from './context.ts';

/** In milliseconds; then 503. */
const ANSWER_WITHIN_MS = 850;

export async function createCatalogApi(
  config: CatalogApiConfig,
  overrides: CatalogApiOverrides = {},
): Promise<ComposedService> {
  const { NETWORK_ORIGIN: origin } = config;
  const { bus, store, clock, zones, logger, metrics, checkAnswers, closers } = await createContext(config, overrides);
  const titles = new TitleCatalog({ store: store.titles, clock, origin });
  const inTurn = serially();
  const boards = new BoardCatalog({ store: store.boards, players: store.players, inTurn, titles, clock, origin });
  const players = new KnownPlayers({ store: store.players, boards: store.boards, inTurn, clock, origin });
  const events = new EventCatalog({ store: store.events, zones, clock, origin });
  const reader = { titles, boards: store.boards };
  const now = () => Math.floor(clock() / 1000);

  const titleCount = metrics.gauge('titles', 'Titles that are shown');
  const titleChanges = metrics.counter('title_changes_total', 'Titles that came or changed');
  const boardUpdates = metrics.counter('board_updates_total', 'Leaderboards that came, changed or went');
  const entryChanges = metrics.counter('board_changes_total', 'Changes of leaderboard entries');
  const eventChanges = metrics.counter('event_changes_total', 'Events that came, changed or were withdrawn');
  const { outbox, onBacklog } = watchOutbox(metrics);
  const relay = new OutboxRelay({ outbox: store.outbox, bus, logger, onBacklog });
  const onTitles = ({ changed, shown }: Observed) => {
    titleChanges.inc(changed);
    titleCount.set(shown);
    if (changed > 0) relay.wake();
  };
  const onBoards = (observed: BoardsObserved) => {
    boardUpdates.inc(observed.boards);
    entryChanges.inc(observed.changes);
    if (observed.boards > 0) relay.wake();
  };
  const onEvents = ({ changed, leftOut }: EventsObserved) => {
    eventChanges.inc(changed);
    if (changed > 0) relay.wake();
    if (leftOut > 0) logger.warn('Announced events were left out: no time can be made of theirs', { events: leftOut });
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
    ].map((route) => inTime(route, ANSWER_WITHIN_MS)),
    checkAnswers,
    closers,
    startParts: async (started) => {
      onTitles({ changed: 0, shown: (await titles.view()).size });
      started(() => relay.stop());
      relay.wake();
      const consumer = await consumeObservations(bus, [
        titleHandler(titles, onTitles),
        boardHandler(boards, onBoards),
        confirmationHandler(boards),
        eventHandler(events, onEvents),
        ...personHandlers(players, () => relay.wake()),
      ]);
      started(() => consumer.stop());
    },
  });
}
