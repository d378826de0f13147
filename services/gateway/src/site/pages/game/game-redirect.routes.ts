import { mountPath, notFound, parseQuery } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { z } from 'zod';
import type { TitleDirectory } from '../../../titles/title-directory.ts';
import { links } from '../../links.ts';

const GAME_PATH = '/game';
const query = z.object({ titleId: z.string({ error: 'must be given once' }) });

/** `/game?titleId=…`, which existing clients link to, leads to the game's page. */
export function mountGameRedirect(app: Express, directory: TitleDirectory): void {
  mountPath(app, GAME_PATH, 'redirectToGame', (req, res) => {
    const { titleId } = parseQuery({ query }, req.originalUrl);
    const known = directory.find(titleId.toLowerCase());
    if (known === undefined) throw notFound('game');
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.redirect(301, links.game(known.titleId));
  });
}
