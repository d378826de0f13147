import { createPageData, type PageSource } from './page-data.ts';
import { document, type SiteContext } from './layout.ts';
import type { Page } from './page.ts';
import { widgetDocument } from './widget-document.ts';

export interface RenderedPage {
  readonly bytes: Buffer;
  /** False for a page whose tags don't name all that it shows. */
  readonly isStorable: boolean;
  /** Whether the page lacks parts that were unavailable. */
  readonly isPartial: boolean;
}

/** @throws AppError as {@link Page.view} does */
export async function renderPage(
  page: Page,
  request: Parameters<Page['view']>[0],
  source: PageSource,
  site: SiteContext,
): Promise<RenderedPage> {
  const data = createPageData(page.tags(request.params, request.query), source, site.urls);
  const view = await page.view(request, data);
  const shown = page.isWidget === true ? widgetDocument(view, site) : document({ ...view, style: page.style }, site);
  const bytes = Buffer.from(String(await shown));
  const { isStorable = true } = view;
  if (isStorable) data.assertDeclared();
  return { bytes, isStorable, isPartial: data.isPartial() };
}
