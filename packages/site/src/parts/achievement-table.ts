import type { operations, OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../html.ts';
import { achievementPicture } from './achievement-picture.ts';
import { table, type Column, type Sort } from './table.ts';
import { achievementLink, formatCount, name, type Titles } from './text.ts';

export type Catalogue = OperationResponse<typeof operations.listAchievements>;
export type Achievement = Catalogue['achievements'][number];

interface AchievementTable {
  /** Unique in the page. */
  readonly id?: string;
  readonly caption: string;
  readonly rows: readonly Achievement[];
  readonly empty: string;
  /** Columns after the name. */
  readonly more?: readonly Column<Achievement>[];
  readonly sort?: Sort;
}

/** Achievements with their points and rarity. */
export function achievementTable(
  titles: Titles,
  { stats, groups }: Pick<Catalogue, 'stats' | 'groups'>,
  { id = 'achievement', more = [], ...rest }: AchievementTable,
): Html {
  return table({
    id,
    key: (achievement: Achievement) => achievement.id,
    ...rest,
    columns: [nameColumn(titles, groups), ...more, POINTS, UNLOCKED_BY, rarityColumn(stats)],
  });
}

function nameColumn(titles: Titles, groups: Catalogue['groups']): Column<Achievement> {
  const titleIds = new Map(groups.map(({ groupId, titleId }) => [groupId, titleId]));
  return {
    heading: 'Achievement',
    isHead: true,
    sortBy: 'name',
    cell: (achievement) => {
      const { id, name: text, description, is_hidden, groupId } = achievement;
      return html`${achievementPicture(titles, achievement, titleIds.get(groupId) ?? null)} ${achievementLink(id, text)}
        ${is_hidden && html`<span class="tag">hidden</span>`}
        <p class="hint">${name(description)}</p>`;
    },
  };
}

const POINTS: Column<Achievement> = {
  heading: 'Points',
  isNumber: true,
  isMinor: true,
  sortBy: 'points',
  cell: ({ points }) => formatCount(points),
};

const UNLOCKED_BY: Column<Achievement> = {
  heading: 'Unlocked by',
  isNumber: true,
  isMinor: true,
  cell: ({ unlockedBy }) => formatCount(unlockedBy),
};

function rarityColumn(stats: Catalogue['stats']): Column<Achievement> {
  return {
    heading: 'Rarity',
    isNumber: true,
    sortBy: 'rarity',
    cell: (achievement) => formatRarity(achievement, stats),
  };
}

/** Smaller ones round to 0. */
const SMALLEST_SHARE = 0.0005;
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Share of the users with achievements who have this one: `4.2%`; a dash before anyone has one. */
export function formatRarity(
  { unlockedBy }: Pick<Achievement, 'unlockedBy'>,
  { playersWithAchievements: players }: Catalogue['stats'],
): string {
  if (players === 0) return '–';
  const share = unlockedBy / players;
  // 0 % and 100 % are exact: no other share is rounded to them.
  if (share > 0 && share < SMALLEST_SHARE) return '<0.1%';
  return share < 1 && share > 1 - SMALLEST_SHARE ? '>99.9%' : percents.format(share);
}
