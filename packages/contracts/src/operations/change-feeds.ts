import { z } from 'zod';
import {
  changeFilters,
  feedFilter,
  listChanges,
  listTitleChanges,
  playerFilter,
  validateBoardFilter,
} from './changes.ts';
import { none, publicGet, titleParams } from './fields.ts';
import { operation } from './operation.ts';

const feed = {
  ...publicGet,
  upstream: 'gateway',
  mediaType: 'application/atom+xml; charset=utf-8',
  description:
    'Atom 1.0 (RFC 4287) for feed readers. An entry keeps its id, and links to the leaderboard’s page. The filters are those of the JSON list; `rel="next"` leads to older entries (RFC 5005).',
  response: z.string(),
} as const;

export const getChangesFeed = operation({
  ...feed,
  id: 'getChangesFeed',
  summary: 'Changes of leaderboard entries as an Atom feed, newest first',
  errors: { 404: 'There is no such game, or no player of that name is or was on a leaderboard' },
  path: '/api/changes.atom',
  group: 'Leaderboards',
  sample: { query: { limit: '1' } },
  params: none,
  query: z.object({ ...feedFilter, ...changeFilters, player: playerFilter }).superRefine(validateBoardFilter),
  tags: listChanges.tags,
});

export const getTitleChangesFeed = operation({
  ...feed,
  id: 'getTitleChangesFeed',
  summary: 'Changes of one game’s leaderboard entries as an Atom feed, newest first',
  path: '/api/title/:titleId/changes.atom',
  group: 'Leaderboards',
  sample: { query: { limit: '1' } },
  gamePath: '/api/game/:game/changes.atom',
  params: titleParams,
  query: z.object(feedFilter),
  tags: listTitleChanges.tags,
});
