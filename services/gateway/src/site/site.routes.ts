import { type ErrorPages, type ErrorPage, mountPath, notFound, parseQuery } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { bundled, mountAssets } from './assets.routes.ts';
import { bundleAssets } from '@lobbystats/site/bundle';
import { mountOembed } from './oembed.routes.ts';
import { mountPages, type PagesOptions } from './pages.routes.ts';
import { installedPages, pages, type SiteContext, type Page, errorPage } from '@lobbystats/site';
import { z } from 'zod';
import type { TitleDirectory } from '../titles/title-directory.ts';
import { links } from '@lobbystats/site/links';

export interface SiteOptions extends Omit<PagesOptions, 'site' | 'headers'> {
  readonly site: Omit<SiteContext, 'assets'>;
  /** The auth service, as browsers reach it. */
  readonly authPublicUrl: string;
}

export interface Site {
  readonly mount: (app: Express) => void;
  readonly errorPages: ErrorPages;
}

/** @throws StartError when scripts and styles can't be bundled */
export function createSite({ site: about, authPublicUrl, ...options }: SiteOptions): Site {
  const assets = bundled(() => bundleAssets());
  const site = {
    ...about,
    assets: {
      style: assets.pathOf('site.css'),
      early: assets.pathOf('early.js'),
      script: assets.pathOf('page.js'),
      widget: assets.pathOf('widget.js'),
    },
  };
  const headers = ({ hasEmbeddedImages = false, isWidget = false }: Pick<Page, 'hasEmbeddedImages' | 'isWidget'>) => ({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': isWidget
      ? WIDGET_POLICY
      : contentSecurityPolicy(authPublicUrl, hasEmbeddedImages ? "'self' data:" : "'self'"),
  });
  return {
    errorPages: errorPages(site, headers({})),
    mount: (app) => {
      mountAssets(app, assets);
      mountGameRedirect(app, options.directory);
      mountOembed(app, { siteUrl: about.siteUrl, directory: options.directory });
      const installed = installedPages({ assets, authPublicUrl, isSimulated: about.network === 'simulated' });
      mountPages(app, [...pages, ...installed], { ...options, site, headers });
    },
  };
}

/** Any site, and any file of a reader, may frame a widget, which has no session: `frame-ancestors *` would leave out files. */
const WIDGET_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

function contentSecurityPolicy(authPublicUrl: string, images: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    `connect-src 'self' ${new URL(authPublicUrl).origin}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Shows errors of pages as pages, where HTML is asked for. Errors of the API stay JSON. */
function errorPages(site: SiteContext, headers: ErrorPage['headers']): ErrorPages {
  return (req) =>
    isApiPath(req.path) || req.accepts(['json', 'html']) !== 'html'
      ? undefined
      : (error) => ({ text: errorPage(error, req.url, site), headers });
}

function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

const GAME_PATH = '/game';
const query = z.object({ titleId: z.string({ error: 'must be given once' }).optional() });

/** `/game?titleId=…`, which existing clients link to, leads to the game's page; without an ID, to all games. */
function mountGameRedirect(app: Express, directory: TitleDirectory): void {
  mountPath(app, GAME_PATH, 'redirectToGame', (req, res) => {
    const { titleId } = parseQuery({ query }, req.originalUrl);
    const known = titleId === undefined ? undefined : directory.find(titleId.toLowerCase());
    if (known === undefined && titleId !== undefined) throw notFound('game');
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.redirect(301, known === undefined ? links.games() : links.game(known.titleId));
  });
}
