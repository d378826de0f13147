import { integer, oneOf, operations, isolated, plainText } from '@lobbystats/contracts';
import { z } from 'zod';
import { imagePaths } from '../../image-paths.ts';
import { html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type Alternate } from '../../page.ts';
import { achievementOperations, achievementsSection } from './achievements.ts';
import {
  findPlayer,
  isNamed,
  playerKey,
  playerOperations,
  SCORES_MAX,
  userOperations,
  type FoundPlayer,
} from './find-player.ts';
import { playerUrl } from './player-url.ts';
import { playTimeOperations, playTimeSection } from './play-time.ts';
import { playerHead, profileSection } from './profile.ts';
import { rankHistoryOperations, rankHistorySection } from './rank-history.ts';
import { ranksOrders, ranksSection } from './ranks.ts';
import { ratingOperations, ratingsSection } from './ratings.ts';
import { recordsSection, rivalsOperations, rivalsSection } from './records-and-rivals.ts';
import { readStory, storyOperations, storySection, storyUserOperations } from './story.ts';
import { changesSection, hasChanges, readChanges, recentChangesOperations } from './recent-changes.ts';

const { getPlayer, getProfile, getReputation, getRankHistory } = operations;

const historyMessage = 'must be a title ID and the number of a leaderboard, such as 4d530064:17';

const query = z.object({
  sort: oneOf(ranksOrders).default('rank'),
  ranksOffset: integer({ min: 0, max: SCORES_MAX }).default(0),
  history: z
    .string({ error: historyMessage })
    .toLowerCase()
    .regex(/^[0-9a-f]{8}:[0-9]{1,10}$/, historyMessage)
    .optional(),
  days: getRankHistory.query.shape.days,
  feedbackOffset: getReputation.query.shape.feedbackOffset.unwrap().default(0),
});
const defaults = query.parse({});

export const player = definePage({
  id: 'getPlayerPage',
  path: '/u/:name',
  params: z.object({ name: getPlayer.params.shape.player.transform(playerKey) }),
  query,
  style: 'player',
  asks: [
    ...[
      ...userOperations,
      ...playerOperations,
      ...recentChangesOperations,
      ...rankHistoryOperations,
      ...rivalsOperations,
    ],
    ...[
      ...storyOperations,
      ...storyUserOperations,
      ...playTimeOperations,
      ...achievementOperations,
      ...ratingOperations,
    ],
  ],
  tagParams: ({ name }) => ({ username: name }),
  view: async ({ params: { name }, query: asked }, data) => {
    const found = await findPlayer(name, data);
    const { user, playerName } = found;
    const urlOf = playerUrl(found.name, asked, defaults);
    const [changes, history, story, rivals, ofAccount] = await Promise.all([
      readChanges(playerName, data),
      rankHistorySection(found, asked, data, urlOf),
      readStory(found, data),
      rivalsSection(found, data),
      user
        ? Promise.all([
            playTimeSection(user.username, data),
            achievementsSection(user.username, data),
            ratingsSection(user.username, asked, data, urlOf),
          ])
        : [],
    ]);
    const [playTime, achievements, ratings] = ofAccount;
    return {
      title: isolated(found.name),
      description: plainText`${found.name}: leaderboards, rank history, play time, achievements and ratings.`,
      path: links.player(found.name),
      image: apiPath(imagePaths.player, { name: found.name }),
      alternates: alternates(found, hasChanges(changes)),
      topics: ['online', 'changes', 'unlocks', 'profiles', 'ratings'],
      about: [found.name, playerName],
      isStorable: !user || isNamed(user, name),
      content: html`${playerHead(found, data)}
        <div class="columns">${profileSection(found, data)} ${changesSection(found, changes, data.titles)}</div>
        ${storySection(story, found, data)}
        <div class="columns">${recordsSection(found, story.changes, data.titles)} ${rivals}</div>
        ${ranksSection(found, changes.day?.changes, asked, urlOf, data.titles)} ${history} ${playTime} ${achievements}
        ${ratings}`,
    };
  },
});

/** Those that exist. */
function alternates({ user, playerName, isPlayer }: FoundPlayer, isOnLeaderboards: boolean): Alternate[] {
  const json = (href: string, title: string): Alternate => ({ type: mediaTypes.json, href, title });
  const ofPlayer = { player: playerName };
  const ofUser = { username: user?.username };
  return [
    ...(user
      ? [
          json(apiPath(getProfile.path, ofUser), 'Profile as JSON'),
          json(apiPath(operations.getGamesPlayed.path, ofUser), 'Play time as JSON'),
          json(apiPath(operations.getUserAchievements.path, ofUser), 'Achievements as JSON'),
          json(apiPath(getReputation.path, ofUser), 'Ratings as JSON'),
        ]
      : []),
    ...(isPlayer ? [json(apiPath(getPlayer.path, ofPlayer), 'Player as JSON')] : []),
    ...(isOnLeaderboards
      ? [
          json(apiPath(operations.listPlayerChanges.path, ofPlayer), 'Changes as JSON'),
          {
            type: mediaTypes.csv,
            href: apiPath(operations.listPlayerChanges.path, ofPlayer, { format: 'csv' }),
            title: 'Changes as CSV',
          },
          {
            type: mediaTypes.atom,
            href: apiPath(operations.getChangesFeed.path, {}, { player: playerName }),
            title: 'Changes as Atom',
          },
        ]
      : []),
  ];
}
