import { z } from 'zod';
import { html } from '../../html.ts';
import { links } from '../../links.ts';
import { OFFLINE_PAGE } from './offline-path.ts';
import { definePage } from '../../page.ts';

/** Shown by the service worker in place of a page, while the site can not be reached. */
export const offline = definePage({
  id: 'getOfflinePage',
  path: OFFLINE_PAGE,
  params: z.object({}),
  query: z.object({}),
  asks: [],
  view: async () => ({
    title: 'Offline',
    description: 'The site can not be reached.',
    path: OFFLINE_PAGE,
    isPrivate: true,
    content: html`<section aria-labelledby="heading">
      <h1 id="heading">You are offline</h1>
      <p class="lead">This page could not be loaded: your device, or this site, is not connected.</p>
      <p>
        It loads by itself when you are online again. Pages that you have seen last are there without a connection, such
        as the <a href="${links.home}">home page</a>.
      </p>
    </section>`,
  }),
});
