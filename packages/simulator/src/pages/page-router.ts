import { Router, type Request, type Response } from 'express';
import { slotOf } from '@lobbystats/contracts';
import type { Faulty, PlannedHandler } from '../faults/faulty-handler.ts';
import { NO_FAULTS } from '../faults/fault.ts';
import { parseInstant } from '../instants.ts';
import type { World } from '../world/world.ts';
import { boardPage, type BoardPageQuery } from './board-page.ts';
import { applyDesign } from './designs.ts';
import { errorPage, type Page } from './page.ts';
import { eventsFeed, playersFeed, readSince } from './feeds.ts';
import { gamePage } from './game-page.ts';
import { icon } from './icon.ts';
import { homepage } from './homepage.ts';
import { sendPage } from './send-page.ts';

const METHODS = 'GET, HEAD';

export function pageRouter(world: World, faulty: Faulty, design: number): Router {
  const router = Router();
  route('/', (_, slot) => homepage(world, slot));
  route('/games/:titleId', (request, slot) => gamePage(world, slot, titleIdOf(request.params['titleId'], '')));
  route('/games/:titleId/leaderboards/:boardId', (request, slot) => {
    const query = boardPageQueryOf(request);
    return query && boardPage(world, slot, query);
  });
  route('/feeds/events.json', (_, slot) => eventsFeed(world, slot));
  route('/feeds/players.json', (request, slot) => {
    const since = readSince(request.query['since']);
    if (Number.isNaN(since)) return errorPage(400, 'since must be one instant YYYY-MM-DDTHH:MM:SSZ');
    return playersFeed(world, slot, since);
  });
  router.get(
    '/icons/:file',
    faulty((request, response, plan, now) => {
      const title = world.knownTitle(slotOf(now), titleIdOf(request.params['file'], '.png'));
      sendPage(response, title === undefined ? errorPage(404, 'There is no such icon.') : icon(title), plan);
    }, sendStatus),
  );
  router.use(faulty(rejectRequest, sendStatus));
  return router;

  function route(path: string, render: (request: Request, slot: number) => Page | undefined): void {
    const handler: PlannedHandler = (request, response, plan, now) => {
      const at = requestedInstant(request, now);
      if (at === undefined) {
        const message = 'at must be one instant YYYY-MM-DDTHH:MM:SSZ that is not in the future';
        sendPage(response, errorPage(400, message), plan);
        return;
      }
      const page = render(request, slotOf(at)) ?? errorPage(404, 'There is no such page.');
      const isHtml = page.contentType.startsWith('text/html');
      sendPage(response, isHtml ? { ...page, body: applyDesign(page.body, design) } : page, plan);
    };
    router.get(path, faulty(handler, sendStatus));
  }
}

export function sendStatus(_: Request, response: Response, status: number): void {
  sendPage(response, errorPage(status, 'Something is not as it should be. Please try again later.'), NO_FAULTS);
}

const rejectRequest: PlannedHandler = (request, response, plan) => {
  if (request.method === 'GET' || request.method === 'HEAD') {
    sendPage(response, errorPage(404, 'There is no such page.'), plan);
    return;
  }
  response.set('Allow', METHODS);
  sendPage(response, errorPage(405, 'This page can only be read.'), plan);
};

function requestedInstant(request: Request, now: number): number | undefined {
  const at = request.query['at'];
  if (at === undefined) return now;
  const instant = typeof at === 'string' ? parseInstant(at) : undefined;
  return instant !== undefined && instant <= now ? instant : undefined;
}

function boardPageQueryOf({ params, query }: Request): BoardPageQuery | undefined {
  const boardId = numberOf(params['boardId']);
  const page = query['page'] === undefined ? 1 : numberOf(query['page']);
  if (boardId === undefined || page === undefined || page === 0) return undefined;
  const instantQuery = typeof query['at'] === 'string' ? `&at=${query['at']}` : '';
  return { titleId: titleIdOf(params['titleId'], ''), boardId, page, instantQuery };
}

function numberOf(parameter: unknown): number | undefined {
  return typeof parameter === 'string' && /^\d{1,10}$/.test(parameter) ? Number(parameter) : undefined;
}

function titleIdOf(parameter: unknown, ending: string): string {
  if (typeof parameter !== 'string' || !parameter.endsWith(ending)) return '';
  const titleId = parameter.slice(0, parameter.length - ending.length).toLowerCase();
  return /^[0-9a-f]{8}$/.test(titleId) ? titleId : '';
}
