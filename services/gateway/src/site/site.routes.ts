import type { ErrorPages } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { bundled, mountAssets } from './assets.routes.ts';
import { bundleAssets } from '@lobbystats/site/bundle';
import { errorPages } from './error-pages.routes.ts';
import { mountGameRedirect } from './game-redirect.routes.ts';
import { mountOembed } from './oembed.routes.ts';
import { mountPages, type PagesOptions } from './pages.routes.ts';
import { installedPages, pages, type SiteContext, type Page } from '@lobbystats/site';

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
