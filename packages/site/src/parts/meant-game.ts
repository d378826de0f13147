import type { GameMetadata } from '@lobbystats/contracts';
import { html, type Html } from '../html.ts';
import type { PageData } from '../page.ts';
import { empty } from './part.ts';
import { name } from './text.ts';

/** The game that a reader's text means, or those that it may mean. */
export interface MeantGame {
  readonly titleId: string | undefined;
  readonly candidates: readonly GameMetadata[];
}

/** An exact name or title ID wins; a part of a name or a misspelt one means the only game that it fits. */
export function meantGame(text: string, titles: PageData['titles']): MeantGame {
  const exact = titles.resolveLink(text);
  if (exact !== undefined) return { titleId: exact, candidates: [] };
  const candidates = titles.similar(text);
  return { titleId: candidates.length === 1 ? candidates[0]?.titleId : undefined, candidates };
}

/** Says that no game has a name, with those that may be meant. @param href the page for one of them */
export function unknownGame(
  text: string,
  candidates: readonly GameMetadata[],
  href: (titleId: string) => string,
): Html {
  const links = candidates.map((game) => ({ name: game.name, href: href(game.titleId) }));
  return empty(html`There is no game “<bdi>${text}</bdi>”. ${didYouMean(links)}`);
}

const SHOWN_MAX = 8;

/** Links to the names that a text may mean; nothing without any. */
export function didYouMean(links: readonly { readonly name: string; readonly href: string }[]): Html | '' {
  if (links.length === 0) return '';
  const shown = links
    .slice(0, SHOWN_MAX)
    .map((link, index) => html`${index > 0 && ', '}<a href="${link.href}">${name(link.name)}</a>`);
  return html`Did you mean ${shown}${links.length > SHOWN_MAX && ', or another one'}?`;
}
