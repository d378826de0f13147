import { decodeSegment } from '@lobbystats/contracts';
import { html, textOf, type Html } from './html.ts';
import { document, type SiteContext } from './layout.ts';
import { links } from './links.ts';
import { findForm } from './parts/find-form.ts';

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

/** A document. @param url path and query as given */
export function errorPage({ status, message }: ShownError, url: string, site: SiteContext): string {
  const heading = HEADINGS[status] ?? 'This did not work';
  const [given = '', query = ''] = url.split(/\?(.*)/s, 2);
  // Two slashes would lead to another host.
  const path = given.replace(/^\/+/, '/');
  const parameter = status === 400 ? PARAMETER.exec(message)?.[1] : undefined;
  const page = document(
    {
      title: heading,
      description: message,
      path: links.home,
      isPrivate: true,
      content: html`<section class="error" aria-labelledby="heading">
        <h1 id="heading">${heading}</h1>
        <p>
          ${parameter !== undefined && 'A part of it is wrong: '}${MESSAGES[message] ?? message}.${status === 503 && ' Please try again in a few seconds.'}
        </p>
        ${parameter !== undefined && query !== '' && html`<p><a href="${without(path, query, parameter)}">To this page without “${parameter}”</a></p>`}
        ${status === 404 && gameOf(path)} ${findForm({ id: 'error-find', value: status === 404 ? nameIn(path) : '' })}
        <p class="more"><a href="${links.home}">To the home page</a></p>
      </section>`,
    },
    site,
  );
  return textOf(page);
}

/** Messages about a parameter begin with its name. */
const PARAMETER = /^(\w+) must /;

/** Messages that are written for programs. */
const MESSAGES: Readonly<Record<string, string>> = {
  'Unknown route': 'There is no page at this address',
  'Unknown game': 'There is no game of that name or title ID',
  'Unknown leaderboard': 'The game has no such leaderboard',
  'Unknown event': 'There is no such event',
  'The path must be percent-encoded UTF-8': 'It is cut off, or has a wrong “%” in it',
};

function without(path: string, query: string, parameter: string): string {
  const rest = new URLSearchParams(query);
  rest.delete(parameter);
  return rest.size === 0 ? path : `${path}?${rest.toString()}`;
}

/** A leaderboard that does not exist may be of a game that does. */
function gameOf(path: string): Html | '' {
  const [game = ''] = /^\/game\/[^/]+(?=\/leaderboard\/)/.exec(path) ?? [];
  return game === '' ? '' : html`<p><a href="${game}">To the game and its leaderboards</a></p>`;
}

/** The name of a player or game that the address has: the search may know a similar one. */
function nameIn(path: string): string {
  const [, segment = ''] = /^\/(?:u|game)\/([^/]+)/.exec(path) ?? [];
  try {
    return decodeSegment(decodeURIComponent(segment));
  } catch {
    return '';
  }
}
