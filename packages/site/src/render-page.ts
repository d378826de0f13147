import { operations, tagsOf, type EpochSeconds, type Operation, type OperationResponse } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import { document, type SiteContext } from './layout.ts';
import type { Values } from './links.ts';
import type { Page, PageData, View } from './page.ts';
import { html, raw, type Html } from './html.ts';
import { shortDates } from './parts/text.ts';

/** The port through which one rendering of a page reads the system. The gateway implements it. */
export interface PageSource {
  /** Answers an operation. @throws AppError `unavailable`, and what the operation responds with */
  readonly ask: <Op extends Operation>(
    operation: Op,
    params: Values,
    query: Values,
    body: unknown,
  ) => Promise<OperationResponse<Op>>;
  readonly titles: PageData['titles'];
  readonly now: EpochSeconds;
}

export interface RenderedPage {
  readonly bytes: Buffer;
  /** False for a page whose tags don't name all that it shows. */
  readonly isStorable: boolean;
  /** Whether the page lacks parts that were unavailable. */
  readonly isPartial: boolean;
}

/**
 * @param tags of the page for this request
 * @throws AppError as {@link Page.view} does
 * @throws Error if the page asks what its `asks` lacks, or if a storable page has asked for data with other tags: it would stay stale
 */
export async function renderPage(
  page: Page,
  { tags, ...given }: Parameters<Page['view']>[0] & { readonly tags: readonly string[] },
  { ask: askSource, titles, now }: PageSource,
  site: SiteContext,
): Promise<RenderedPage> {
  let isPartial = false;
  const undeclared = new Set<string>();
  const asked = new Map<string, Promise<unknown>>();
  const ask: PageData['ask'] = async (operation, params = {}, query = {}, body) => {
    if (!page.asks.some(({ id }) => id === operation.id))
      throw new Error(`page ${page.id} asks ${operation.id}, which its \`asks\` lacks`);
    for (const tag of tagsOf([operation], params)) if (!tags.includes(tag)) undeclared.add(`${operation.id}: ${tag}`);
    // Parts of a page may send the same request.
    const key = JSON.stringify([operation.id, params, query, body]);
    const response = asked.get(key) ?? askSource(operation, params, query, body);
    asked.set(key, response);
    return (await response) as OperationResponse<typeof operation>;
  };
  const askPart: PageData['askPart'] = async (...request) => {
    try {
      return await ask(...request);
    } catch (error) {
      if (!hasCode(error, 'unavailable')) throw error;
      isPartial = true;
      return undefined;
    }
  };
  const find: PageData['find'] = async (...request) => {
    try {
      return await askPart(...request);
    } catch (error) {
      if (hasCode(error, 'not-found')) return null;
      throw error;
    }
  };
  const view = await page.view(given, { ask, askPart, find, titles, siteUrl: site.siteUrl, now });
  const shown =
    page.isWidget === true
      ? widgetDocument(view, site)
      : document({ ...view, style: page.style }, site, await askPart(operations.getStatus));
  const bytes = Buffer.from(shortDates(String(await shown), now));
  const { isStorable = true } = view;
  if (isStorable && undeclared.size > 0)
    throw new Error(`the page does not declare the tags of ${[...undeclared].join(', ')}`);
  return { bytes, isStorable, isPartial };
}

/** A document for a frame of another site. */
function widgetDocument({ title, content, theme }: View, { assets }: SiteContext): Html {
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
