import { operations } from '@lobbystats/contracts';
import { imagePaths, pages } from '@lobbystats/site';

/** A page that was reached from the first one. */
export interface CrawledPage {
  readonly path: string;
  /** Names its kind: the path with IDs, names and parameters replaced, such as `/game/:titleId`. */
  readonly kind: string;
  readonly status: number;
  readonly mediaType: string;
  /** The page with a link to it. */
  readonly from: string;
}

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/**
 * Follows links of the same origin, breadth first.
 *
 * @param perKind how many pages of each kind are requested
 */
export async function crawl(base: string, perKind: number): Promise<CrawledPage[]> {
  const crawled: CrawledPage[] = [];
  const counts = new Map<string, number>();
  const seen = new Set(['/']);
  const queue = [{ path: '/', from: '' }];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const kind = kindOf(next.path);
    const count = counts.get(kind) ?? 0;
    if (count >= perKind) continue;
    counts.set(kind, count + 1);
    const { links, ...page } = await read(base, next.path);
    crawled.push({ ...next, kind, ...page });
    for (const path of links) {
      if (seen.has(path)) continue;
      seen.add(path);
      queue.push({ path, from: next.path });
    }
  }
  return crawled;
}

async function read(base: string, path: string) {
  const response = await fetch(base + path, { headers: HTML });
  const mediaType = response.headers.get('content-type')?.split(';', 1)[0] ?? '';
  if (mediaType === 'text/html') {
    const text = await response.text();
    return { status: response.status, mediaType, links: linksIn(text, base, path) };
  }
  await response.body?.cancel();
  return { status: response.status, mediaType, links: [] };
}

/** Paths with queries of links, forms without fields, style sheets and images. */
function linksIn(text: string, base: string, path: string): string[] {
  const page = new URL(path, base);
  return [...text.matchAll(/\s(?:href|src)="([^"]*)"/g)].flatMap(([, href = '']) => {
    const url = new URL(href.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"'), page);
    return url.origin === page.origin ? [url.pathname + url.search] : [];
  });
}

/** Paths with parameters, those without any first. */
const PATTERNS = [...pages, ...Object.values(operations)]
  .map(({ path }) => path)
  .concat(Object.values(imagePaths), '/assets/:file')
  .sort((one, other) => one.split(':').length - other.split(':').length)
  .map((path) => ({ path, matches: new RegExp(`^${path.split(/:\w+/).map(RegExp.escape).join('[^/]+')}$`) }));

function kindOf(path: string): string {
  const [pathname = '', query = ''] = path.split('?', 2);
  const names = [...new URLSearchParams(query).keys()].sort();
  const kind = PATTERNS.find(({ matches }) => matches.test(pathname))?.path ?? pathname;
  return names.length === 0 ? kind : `${kind}?${names.join('&')}`;
}
