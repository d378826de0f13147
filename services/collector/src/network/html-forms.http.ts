import { SLOT_SECONDS } from '@lobbystats/contracts';
import type { Parse } from '../parsing/parsers.node.ts';
import { METADATA_INTERVAL_SECONDS } from '../slots/slot-times.ts';
import type { SourceForms } from './source-forms.ts';

export interface FormParts {
  parse: Parse;
  networkUrl: string;
  /** Base of relative picture URLs. */
  publicUrl: string;
}

/** The pages and feeds of docs/network.md. */
export function htmlForms({ parse, networkUrl, publicUrl }: FormParts): SourceForms {
  const baseUrl = `${publicUrl}/`;
  return {
    homepage: {
      type: 'html',
      url: () => `${networkUrl}/`,
      read: (html) => parse('home', html, baseUrl),
    },
    titles: {
      type: 'html',
      url: ({ titleId }) => `${networkUrl}/games/${titleId}`,
      read: (html) => parse('game', html, baseUrl),
    },
    leaderboards: {
      type: 'html',
      url: ({ titleId, leaderboardId, page }) =>
        `${networkUrl}/games/${titleId}/leaderboards/${leaderboardId}?page=${page}`,
      read: (html) => parse('board', html),
    },
    events: {
      type: 'json',
      url: () => `${networkUrl}/feeds/events.json`,
      read: (json) => parse('events', json, baseUrl),
      intervalSeconds: METADATA_INTERVAL_SECONDS,
    },
    players: {
      type: 'json',
      url: ({ since }) =>
        `${networkUrl}/feeds/players.json${since === null ? '' : `?since=${encodeURIComponent(since)}`}`,
      read: (json) => parse('players', json),
      intervalSeconds: SLOT_SECONDS,
    },
    version: publicUrl,
  };
}
