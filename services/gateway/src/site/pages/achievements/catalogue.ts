import type { operations, OperationResponse } from '@lobbystats/contracts';
import { html, type Html } from '../../html.ts';
import type { PageData } from '../../page.ts';
import { empty } from '../../parts/part.ts';
import { table, type Column, type Sort } from '../../parts/table.ts';
import { formatCount, gameLink, name, plural } from '../../parts/text.ts';

export type Catalogue = OperationResponse<typeof operations.listAchievements>;
type Achievement = Catalogue['achievements'][number];
type Group = Catalogue['groups'][number];

/** `group`: as the catalogue lists them, by group. */
export const catalogueSorts = ['group', 'rarity', 'points', 'name'] as const;
export type CatalogueSort = (typeof catalogueSorts)[number];
export const sortOrders = ['ascending', 'descending'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** Rare ones and many points first. */
export const FIRST_ORDER = {
  group: 'ascending',
  rarity: 'ascending',
  points: 'descending',
  name: 'ascending',
} as const satisfies Record<CatalogueSort, SortOrder>;

export interface CatalogueView {
  readonly sort: CatalogueSort;
  readonly order: SortOrder;
  readonly groupId: string | undefined;
  readonly hrefOf: (filter: { group?: string; sort?: CatalogueSort; order?: SortOrder }) => string;
}

/** Achievements with their rarity: by group, or all of them in another order. */
export function catalogue(all: Catalogue, view: CatalogueView, data: PageData): Html {
  const groups = all.groups.filter(({ groupId }) => view.groupId === undefined || groupId === view.groupId);
  if (view.sort === 'group') {
    if (groups.length === 0) return empty('No achievements yet');
    const sections = groups.map((group) => groupSection(all, group, view, data));
    return groups.length === 1 ? html`${sections}` : html`<div class="groups">${sections}</div>`;
  }
  const shown = all.achievements.filter(({ groupId }) => view.groupId === undefined || groupId === view.groupId);
  const { sort, order } = view;
  const rows = shown.toSorted((a, b) => compare[sort](a, b) * (order === 'ascending' ? 1 : -1));
  return table({
    ...{ ...RECORDS, rows },
    caption: 'Achievements',
    empty: 'No achievements yet',
    columns: [NAME, groupColumn(view), POINTS, UNLOCKED_BY, rarityColumn(all)],
    sort: sortOf(view),
  });
}

function groupSection(all: Catalogue, group: Group, { hrefOf, groupId }: CatalogueView, data: PageData): Html {
  const { titleId, displayName } = group;
  const text = name(displayName);
  const isKnown = titleId !== null && data.titles.find(titleId) !== undefined;
  return html`<div class="group" id="group-${group.groupId}">
    <div class="head">
      <h3>${groupId === undefined ? html`<a href="${hrefOf({ group: group.groupId })}">${text}</a>` : text}</h3>
      <p>
        ${plural(group.totalCount, 'achievement')} · ${plural(group.totalPoints, 'point')}
        ${isKnown && html` · game: ${gameLink(data.titles, titleId)}`}
      </p>
    </div>
    ${table({
      caption: `Achievements: ${displayName}`,
      empty: 'No achievements in this group',
      ...RECORDS,
      id: `achievement-of-${group.groupId}`,
      rows: all.achievements.filter((achievement) => achievement.groupId === group.groupId),
      columns: [NAME, POINTS, UNLOCKED_BY, rarityColumn(all)],
    })}
  </div>`;
}

const RECORDS = { id: 'achievement', key: ({ id }: Achievement) => id };

const NAME: Column<Achievement> = {
  heading: 'Achievement',
  isHead: true,
  sortBy: 'name',
  cell: ({ name: text, description, is_hidden }) =>
    html`${name(text)} ${is_hidden && html`<span class="tag">hidden</span>`}
      <p class="hint">${name(description)}</p>`,
};

const POINTS: Column<Achievement> = {
  heading: 'Points',
  isNumber: true,
  sortBy: 'points',
  cell: ({ points }) => formatCount(points),
};

const UNLOCKED_BY: Column<Achievement> = {
  heading: 'Unlocked by',
  isNumber: true,
  isMinor: true,
  cell: ({ unlockedBy }) => formatCount(unlockedBy),
};

function groupColumn({ hrefOf }: CatalogueView): Column<Achievement> {
  return {
    heading: 'Group',
    isMinor: true,
    cell: ({ groupId, category }) => html`<a href="${hrefOf({ group: groupId })}">${name(category)}</a>`,
  };
}

function rarityColumn({ stats: { playersWithAchievements } }: Catalogue): Column<Achievement> {
  return {
    heading: 'Rarity',
    isNumber: true,
    sortBy: 'rarity',
    cell: ({ unlockedBy }) => formatRarity(unlockedBy, playersWithAchievements),
  };
}

/** Smaller ones round to 0. */
const SMALLEST_SHARE = 0.0005;
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Share of the users with achievements who have this one: `4.2%`; a dash before anyone has one. */
function formatRarity(unlockedBy: number, players: number): string {
  if (players === 0) return '–';
  const share = unlockedBy / players;
  // 0 % and 100 % are exact: no other share is rounded to them.
  if (share > 0 && share < SMALLEST_SHARE) return '<0.1%';
  return share < 1 && share > 1 - SMALLEST_SHARE ? '>99.9%' : percents.format(share);
}

type Compare = (a: Achievement, b: Achievement) => number;
const byName: Compare = (a, b) => a.name.localeCompare(b.name, 'en');
const compare: Record<Exclude<CatalogueSort, 'group'>, Compare> = {
  rarity: (a, b) => a.unlockedBy - b.unlockedBy,
  points: (a, b) => a.points - b.points,
  name: byName,
};

function sortOf({ sort, order, hrefOf }: CatalogueView): Sort {
  return {
    by: sort,
    order,
    href: (by) => {
      const column = catalogueSorts.find((one) => one === by) ?? 'group';
      if (column !== sort) return hrefOf({ sort: column, order: FIRST_ORDER[column] });
      return hrefOf({ sort: column, order: order === 'ascending' ? 'descending' : 'ascending' });
    },
  };
}
