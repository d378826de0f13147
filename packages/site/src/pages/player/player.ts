import { integer, oneOf, operations, isolated, plainText } from '@lobbystats/contracts';
import { z } from 'zod';
import { imagePaths } from '../../image-paths.ts';
import { html, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type Alternate, type PageData } from '../../page.ts';
import { choices } from '../../parts/choices.ts';
import { empty } from '../../parts/part.ts';
import { recordsOf } from '../../parts/records.ts';
import { achievementOperations, achievementsSection } from './achievements.ts';
import {
  findPlayer,
  isNamed,
  playerKey,
  playerOperations,
  SCORES_MAX,
  userOperations,
  type FoundPlayer,
} from '../../parts/find-player.ts';
import { playerTabs, playerUrl, tabOf, type PlayerQuery, type PlayerTab, type PlayerUrl } from './player-url.ts';
import { playTimeOperations, playTimeSection } from './play-time.ts';
import { playerHead, profileSection } from './profile.ts';
import { rankHistoryOperations, rankHistorySection } from './rank-history.ts';
import { ranksOrders, ranksSection } from './ranks.ts';
import { ratingOperations, ratingsSection } from './ratings.ts';
import { recordsSection, rivalsOperations, rivalsSection, shownRecords } from './records-and-rivals.ts';
import { readStory, storyOperations, storySection, storyUserOperations } from './story.ts';
import {
  changesSection,
  hasChanges,
  readChanges,
  recentChangesOperations,
  type PlayerChanges,
} from './recent-changes.ts';

const { getPlayer, getProfile, getReputation, getRankHistory } = operations;

const historyMessage = 'must be a title ID and the number of a leaderboard, such as 4d530064:17';

const query = z.object({
  tab: oneOf(playerTabs).optional(),
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
const defaults = { ...query.parse({}), tab: 'overview' };

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
  view: async ({ params: { name }, query: given }, data) => {
    const asked = { ...given, tab: tabOf(given) };
    const found = await findPlayer(name, data);
    const { user, playerName } = found;
    const urlOf = playerUrl(found.name, asked, defaults);
    const [changes, head] = await Promise.all([readChanges(playerName, data), playerHead(found, urlOf, data)]);
    const tabs = user ? playerTabs : playerTabs.filter((tab) => !TABS_OF_ACCOUNTS.includes(tab));
    const tab = tabContents[asked.tab];
    return {
      title: isolated(found.name),
      description: plainText`${found.name}: leaderboards, rank history, play time, achievements and ratings.`,
      path: links.player(found.name),
      image: apiPath(imagePaths.player, { name: found.name }),
      alternates: alternates(found, hasChanges(changes)),
      topics: ['online', 'changes', 'unlocks', 'profiles', 'ratings'],
      about: [found.name, playerName],
      isStorable: !user || isNamed(user, name),
      content: html`${head}
      ${choices(
        'Parts of this page',
        tabs.map((one) => ({
          text: TAB_TEXTS[one],
          href: links.player(found.name, { tab: one === 'overview' ? undefined : one }),
          isCurrent: one === asked.tab,
        })),
      )}
      ${await tab({ found, changes, asked, urlOf, data })}`,
    };
  },
});

const TAB_TEXTS: Readonly<Record<PlayerTab, string>> = {
  overview: 'Overview',
  leaderboards: 'Leaderboards',
  achievements: 'Achievements',
  ratings: 'Ratings',
};
const TABS_OF_ACCOUNTS: readonly PlayerTab[] = ['achievements', 'ratings'];

interface Tab {
  readonly found: FoundPlayer;
  readonly changes: PlayerChanges;
  readonly asked: PlayerQuery;
  readonly urlOf: PlayerUrl;
  readonly data: PageData;
}

const NO_ACCOUNT = empty('This player has no account here.');

const tabContents: Readonly<Record<PlayerTab, (tab: Tab) => Promise<Html>>> = {
  overview: async ({ found, changes, data }) => {
    const { user } = found;
    const [story, rivals, playTime] = await Promise.all([
      readStory(found, data),
      rivalsSection(found, data),
      user ? playTimeSection(user.username, data) : '',
    ]);
    const records = await recordsOf(shownRecords(story.changes), data);
    return html`<div class="columns">${changesSection(found, changes, data.titles)} ${profileSection(found, data)}</div>
      ${storySection(story, found, data)}
      <div class="columns">${recordsSection(found, story.changes, records, data.titles)} ${rivals}</div>
      ${playTime}`;
  },
  leaderboards: async ({ found, changes, asked, urlOf, data }) => html`
    ${ranksSection(found, changes.day?.changes, asked, urlOf, data.titles)}
    ${await rankHistorySection(found, asked, data, urlOf)}
  `,
  achievements: async ({ found: { user }, data }) =>
    user ? achievementsSection(user.username, data) : html`${NO_ACCOUNT}`,
  ratings: async ({ found: { user }, asked, urlOf, data }) =>
    user ? ratingsSection(user.username, asked, data, urlOf) : html`${NO_ACCOUNT}`,
};

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
