import type { Express } from 'express';

/** Paths have one spelling. One with slashes at its end leads to the one without, when no route has it. */
export function mountSlashRedirect(app: Express): void {
  app.use((req, res, next) => {
    const [path = '', query] = req.url.split(/\?(.*)/s, 2);
    // Two slashes at the beginning would lead to another host.
    const target = path.replace(/^\/+|\/+$/g, '');
    if (!path.endsWith('/') || target === '') next();
    else res.writeHead(308, { Location: `/${target}${query === undefined ? '' : `?${query}`}` }).end();
  });
}
