import type { ErrorPage, ErrorPages } from '@lobbystats/service-kit';
import { html, type Html } from './html.ts';
import { document, type SiteContext } from './layout.ts';
import { links } from './links.ts';
import { findForm } from './parts/find-form.ts';

/** Shows errors of pages as pages, where HTML is asked for. Errors of the API stay JSON. */
export function sitePages(site: SiteContext, headers: ErrorPage['headers']): ErrorPages {
  return (req) =>
    isApiPath(req.path) || req.accepts(['json', 'html']) !== 'html'
      ? undefined
      : (error) => ({ text: textOf(errorDocument(error, site)), headers });
}

function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/** An error page awaits nothing. */
function textOf(page: Html): string {
  if (page instanceof Promise) throw new Error('an error page must not be asynchronous');
  return page.toString();
}

interface ShownError {
  readonly status: number;
  readonly message: string;
}

const HEADINGS: Readonly<Record<number, string>> = {
  400: 'This address is not valid',
  404: 'Not found',
  405: 'This page can only be read',
  500: 'Something went wrong here',
  503: 'Unavailable at the moment',
};

function errorDocument({ status, message }: ShownError, site: SiteContext): Html {
  const heading = HEADINGS[status] ?? 'This did not work';
  return document(
    {
      title: heading,
      description: message,
      path: links.home,
      isPrivate: true,
      content: html`<section class="error" aria-labelledby="heading">
        <h1 id="heading">${heading}</h1>
        <p>${message}.${status === 503 && ' Please try again in a few seconds.'}</p>
        <p class="hint">HTTP status ${status}</p>
        ${findForm({ id: 'error-find' })}
        <p><a href="${links.home}">To the first page</a></p>
      </section>`,
    },
    site,
  );
}
