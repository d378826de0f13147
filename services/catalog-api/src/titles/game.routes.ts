import { operations } from '@lobbystats/contracts';
import { notFound, route, type Route } from '@lobbystats/service-kit';
import type { IconQueries } from './icons.queries.ts';
import type { TitleCatalog } from './title-catalog.ts';

export function gameRoutes(catalog: TitleCatalog, icons: Pick<IconQueries, 'read'>): Route[] {
  return [
    route(operations.getGame, async ({ params }) => {
      const found = (await catalog.view()).get(params.titleId);
      if (found === undefined) throw notFound('title');
      return { body: found.title, lastModified: found.changedAt };
    }),

    route(operations.listGames, async ({ query }) => {
      const { titles, total, hasMore, changedAt } = (await catalog.view()).find(query);
      const { limit, offset } = query;
      return {
        body: { games: titles, total, limit, offset, hasMore },
        lastModified: changedAt,
        next: hasMore ? { offset: offset + limit } : undefined,
      };
    }),

    route(operations.listTitles, async ({ query }) => {
      const view = await catalog.view();
      const { titles, next, changedAt } = view.all(query.after);
      return {
        body: { revision: view.revision, titles, ...(next !== undefined && { next }) },
        lastModified: changedAt,
      };
    }),

    route(operations.getIcon, async ({ params }) => {
      const icon = await icons.read(params.titleId);
      if (icon === undefined) throw notFound('icon');
      return { body: { image: Buffer.from(icon.image).toString('base64') }, lastModified: icon.seenAt };
    }),
  ];
}
