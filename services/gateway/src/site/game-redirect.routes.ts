import { mountPath, notFound, parseQuery } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { z } from 'zod';
import type { TitleDirectory } from '../titles/title-directory.ts';
import { links } from '@lobbystats/site/links';

const GAME_PATH = '/game';
const query = z.object({ titleId: z.string({ error: 'must be given once' }).optional() });

/** `/game?titleId=…`, which existing clients link to, leads to the game's page; without an ID, to all games. */
export function mountGameRedirect(app: Express, directory: TitleDirectory): void {
  mountPath(app, GAME_PATH, 'redirectToGame', (req, res) => {
    const { titleId } = parseQuery({ query }, req.originalUrl);
    const known = titleId === undefined ? undefined : directory.find(titleId.toLowerCase());
    if (known === undefined && titleId !== undefined) throw notFound('game');
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.redirect(301, known === undefined ? links.games() : links.game(known.titleId));
  });
}
