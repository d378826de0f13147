import { emptyToUndefined, offset, oneOf, operations, username } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { z } from 'zod';
import type { Catalogue } from '../../parts/achievement-table.ts';
import { catalogue, catalogueSorts, FIRST_ORDER, sortOrders, type CatalogueView } from './catalogue.ts';
import { leaderboard, recentUnlocks } from './players.ts';
import { html, raw, type Html } from '../../html.ts';
import { apiPath, links } from '../../links.ts';
import { definePage, mediaTypes, type PageData } from '../../page.ts';
import { choices } from '../../parts/choices.ts';
import { figures, part, section } from '../../parts/part.ts';
import { formatCount } from '../../parts/text.ts';

const { listAchievements, getAchievementLeaderboard, listRecentUnlocks } = operations;

const UNLOCKS = 20;
const TABS = { catalogue: 'Catalogue', leaderboard: 'Leaderboard', unlocks: 'Recent unlocks' } as const;
type Tab = keyof typeof TABS;
const SORT_TEXTS = { group: 'By group', rarity: 'Rarest', points: 'Most points', name: 'By name' } as const;

const query = z.object({
  tab: oneOf(['catalogue', 'leaderboard', 'unlocks']).default('catalogue'),
  group: z.string({ error: 'must be given once' }).transform(emptyToUndefined).optional(),
  sort: oneOf(catalogueSorts).default('group'),
  order: oneOf(sortOrders).optional(),
  /** Offset in the leaderboard. */
  offset,
  around: z.union([z.literal('').transform(emptyToUndefined), username]).optional(),
  /** Offset in the recent unlocks. */
  unlocks: offset,
});
type Query = z.output<typeof query>;

export const achievements = definePage({
  id: 'getAchievementsPage',
  path: links.achievements(),
  params: z.object({}),
  query,
  style: 'achievements',
  asks: [listAchievements, getAchievementLeaderboard, listRecentUnlocks],
  view: async ({ query: asked }, data) => {
    const { around } = asked;
    const tab: Tab = around === undefined ? asked.tab : 'leaderboard';
    const boardQuery = around === undefined ? { offset: asked.offset } : { around };
    const [all, board, recent] = await Promise.all([
      data.askPart(listAchievements),
      tab === 'leaderboard' ? data.find(getAchievementLeaderboard, {}, boardQuery) : undefined,
      data.askPart(listRecentUnlocks, {}, { limit: UNLOCKS, offset: asked.unlocks }),
    ]);
    const group = all?.groups.find(({ groupId }) => groupId === asked.group);
    if (all !== undefined && asked.group !== undefined && group === undefined)
      throw new AppError('not-found', 'Unknown group');
    const title = group === undefined ? 'Achievements' : `Achievements: ${group.displayName}`;
    const content: Record<Tab, () => Html> = {
      catalogue: () => part(all, (found) => catalogueSection(found, asked, data)),
      leaderboard: () =>
        part(board === null ? { found: null } : board && { found: board }, ({ found }) =>
          leaderboard(found, { around, href: (to) => pathOf({ ...asked, tab, around: undefined, offset: to }) }),
        ),
      unlocks: () => part(recent, (found) => recentUnlocks(found, (to) => pathOf({ ...asked, unlocks: to }))),
    };
    return {
      title,
      description: 'All achievements and how rare they are, players by achievement score, and what was unlocked last.',
      path: pathOf(asked),
      topics: ['unlocks'],
      alternates: [
        { type: mediaTypes.json, href: listAchievements.path, title: 'Achievements as JSON' },
        {
          type: mediaTypes.json,
          href: apiPath(getAchievementLeaderboard.path, {}, boardQuery),
          title: 'Leaderboard as JSON',
        },
        { type: mediaTypes.json, href: listRecentUnlocks.path, title: 'Recent unlocks as JSON' },
      ],
      content: html`<div class="head"><h1>Achievements</h1></div>
        <p id="progress" class="card" data-island="progress"></p>
        ${part(all, ({ stats }) => numbers(stats, recent?.total))}
        ${section(
          tab,
          TABS[tab],
          content[tab](),
          choices(
            'Parts',
            Object.entries(TABS).map(([one, text]) => ({
              text,
              href: links.achievements({ tab: one === 'catalogue' ? undefined : one }),
              isCurrent: one === tab,
            })),
          ),
        )}`,
    };
  },
});

/** Without parameters that have their default. */
function pathOf({ tab, group, sort, order, offset: from, around, unlocks }: Query): string {
  return links.achievements({
    tab: tab === 'catalogue' ? undefined : tab,
    group,
    sort: sort === 'group' ? undefined : sort,
    order: order === FIRST_ORDER[sort] ? undefined : order,
    offset: from === 0 || around !== undefined ? undefined : from,
    around,
    unlocks: unlocks === 0 ? undefined : unlocks,
  });
}

function numbers(stats: Catalogue['stats'], unlocks: number | undefined): Html {
  return figures([
    { name: 'Achievements', value: formatCount(stats.totalAchievements) },
    { name: 'Points to earn', value: formatCount(stats.maxGamerscore) },
    { name: 'Players with achievements', value: formatCount(stats.playersWithAchievements) },
    { name: 'Unlocks', value: formatCount(unlocks ?? null) },
  ]);
}

function catalogueSection(all: Catalogue, asked: Query, data: PageData): Html {
  const { sort, group, order = FIRST_ORDER[sort] } = asked;
  const hrefOf: CatalogueView['hrefOf'] = (changed) => `${pathOf({ ...asked, ...changed })}#catalogue`;
  return html`<form class="filters" action="${links.achievements()}#catalogue">
      ${sort !== 'group' && html`<input type="hidden" name="sort" value="${sort}" />`}
      ${asked.order !== undefined && html`<input type="hidden" name="order" value="${asked.order}" />`}
      <label
        >Group
        <select name="group">
          <option value="">All groups</option>
          ${all.groups.map(
            ({ groupId, displayName }) =>
              html`<option value="${groupId}" ${groupId === group ? raw(' selected') : ''}>${displayName}</option>`,
          )}
        </select>
      </label>
      <button>Show</button>
    </form>
    ${choices(
      'Order',
      catalogueSorts.map((one) => ({
        text: SORT_TEXTS[one],
        href: hrefOf({ sort: one, order: FIRST_ORDER[one] }),
        isCurrent: one === sort,
      })),
    )}
    <p class="hint">Rarity: the share of all players with achievements who have this one.</p>
    ${catalogue(all, { sort, order, groupId: group, hrefOf }, data)}`;
}
