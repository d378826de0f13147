import type { ErrorPage, ErrorPages } from '@lobbystats/service-kit';
import { errorPage, type SiteContext } from '@lobbystats/site';

/** Shows errors of pages as pages, where HTML is asked for. Errors of the API stay JSON. */
export function errorPages(site: SiteContext, headers: ErrorPage['headers']): ErrorPages {
  return (req) =>
    isApiPath(req.path) || req.accepts(['json', 'html']) !== 'html'
      ? undefined
      : (error) => ({ text: errorPage(error, req.url, site), headers });
}

function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}
