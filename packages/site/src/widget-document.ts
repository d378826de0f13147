import { html, raw, type Html } from './html.ts';
import type { SiteContext } from './layout.ts';
import type { View } from './page.ts';

/** A document for a frame of another site. */
export function widgetDocument({ title, content, theme }: View, { assets }: SiteContext): Html {
  return html`<!doctype html>
    <html lang="en" ${theme === undefined ? '' : raw(` data-theme="${theme}"`)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="${assets.style}" />
        <script type="module" src="${assets.widget}"></script>
      </head>
      <body class="widget">
        <main>${content}</main>
      </body>
    </html> `;
}
