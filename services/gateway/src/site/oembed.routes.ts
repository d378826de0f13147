import { integer, oneOf } from '@lobbystats/contracts';
import { notFound, mountPath, parseQuery } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { z } from 'zod';
import { imagePaths, WIDGET_SIZE, widgetFrame, widgetTitle } from '@lobbystats/site';
import { xml, xmlDocument } from '../feeds/xml.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import { apiPath, links } from '@lobbystats/site/links';

const size = integer({ min: 1, max: 10_000 }).optional();
const query = z.object({
  url: z.string({ error: 'must be given once' }),
  format: oneOf(['json', 'xml']).default('json'),
  maxwidth: size,
  maxheight: size,
});

export interface OembedOptions {
  readonly siteUrl: string;
  readonly directory: TitleDirectory;
}

/** `/oembed`: the widget of a game for the URL of its page. https://oembed.com */
export function mountOembed(app: Express, { siteUrl, directory }: OembedOptions): void {
  mountPath(app, '/oembed', 'oembed', (req, res) => {
    const { url, format, maxwidth, maxheight } = parseQuery({ query }, req.originalUrl);
    const game = gameOf(url, siteUrl);
    const title = game === undefined ? undefined : directory.find(directory.resolveLink(game) ?? '');
    if (title === undefined) throw notFound('game');
    const { titleId, name } = title;
    const width = Math.min(WIDGET_SIZE.width, maxwidth ?? Infinity);
    const height = Math.min(WIDGET_SIZE.height, maxheight ?? Infinity);
    const gameName = name === '' ? titleId : name;
    const response = {
      type: 'rich',
      version: '1.0',
      title: widgetTitle(gameName),
      provider_name: 'Lobbystats',
      provider_url: siteUrl + links.home,
      cache_age: MAX_AGE_SECONDS,
      html: widgetFrame(siteUrl + links.widget(titleId), gameName, { width, height }),
      ...{ width, height },
      thumbnail_url: siteUrl + apiPath(imagePaths.game, { game: titleId }),
      ...{ thumbnail_width: 1200, thumbnail_height: 630 },
    };
    res.setHeader('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);
    if (format === 'json') {
      res.setHeader('Content-Type', 'application/json; charset=utf-8').end(JSON.stringify(response));
      return;
    }
    const fields = Object.entries(response).map(([field, value]) => xml`<${field}>${value}</${field}>`);
    res.setHeader('Content-Type', 'text/xml; charset=utf-8').end(xmlDocument(xml`<oembed>${fields}</oembed>`));
  });
}

const MAX_AGE_SECONDS = 3600;

function withoutScheme(url: string): string {
  return url.replace(/^https?:/, '');
}

/** The name or title ID in the URL of a game's page; undefined for other URLs. */
function gameOf(url: string, siteUrl: string): string | undefined {
  const base = withoutScheme(`${siteUrl}/game/`);
  const address = withoutScheme(url);
  if (!address.startsWith(base)) return undefined;
  // Editors may add a slash.
  const [segment = '', slash = '', ...rest] = address
    .slice(base.length)
    .replace(/[?#].*$/s, '')
    .split('/');
  if (slash !== '' || rest.length > 0) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
