import { operations, type OperationResponse, type UserAchievement } from '@lobbystats/contracts';
import { html, raw, type Html } from '../../html.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { achievementPicture } from '../../parts/achievement-picture.ts';
import { list } from '../../parts/list.ts';
import { part, section } from '../../parts/part.ts';
import { achievementLink, formatCount, gameLink, name, plural, time, type Titles } from '../../parts/text.ts';

const { getUserAchievements } = operations;

export const achievementOperations = [getUserAchievements] as const;

type Group = OperationResponse<typeof getUserAchievements>['groups'][number];

/** Achievements by group; the API masks hidden ones until they are earned. */
export async function achievementsSection(username: string, data: PageData): Promise<Html> {
  const response = await data.find(getUserAchievements, { username });
  return section(
    'achievements',
    'Achievements',
    part(response ?? undefined, ({ achievements, groups }) => {
      const [begun, rest] = [groups.filter(isBegun), groups.filter((group) => !isBegun(group))];
      return html`${list({ id: 'badge', rows: achievements, key: ({ id }) => id, item: (one) => badge(one, data.titles), empty: 'No achievement yet', className: 'badges' })}
      ${groupList(begun, data.titles)}
      ${
        rest.length > 0 &&
        html`<details id="other-groups">
          <summary>${plural(rest.length, 'group')} without an achievement</summary>
          ${groupList(rest, data.titles)}
        </details>`
      }`;
    }),
    response
      ? html`${plural(response.score, 'point')} · <a href="${links.achievements()}">All achievements</a>`
      : undefined,
  );
}

function isBegun({ unlockedCount }: Group): boolean {
  return unlockedCount > 0;
}

function badge(achievement: UserAchievement, titles: Titles): Html {
  const { id, name: text, points, unlocked_at, game_title_id: titleId } = achievement;
  return html`${achievementPicture(titles, achievement, titleId)}
    <div>
      ${achievementLink(id, text)}
      <p class="hint">${plural(points, 'point')}${unlocked_at !== null && html` · ${time(unlocked_at)}`}</p>
    </div>`;
}

function groupList(groups: readonly Group[], titles: Titles): Html {
  return html`<div class="groups">${groups.map((group) => groupPart(group, titles))}</div>`;
}

function groupPart(
  { groupId, titleId, displayName, unlockedCount, totalCount, earnedPoints, achievements }: Group,
  titles: Titles,
): Html {
  return html`<details class="card" id="group-${groupId}">
    <summary>
      <span>${name(displayName)}</span>
      <progress value="${unlockedCount}" max="${Math.max(1, totalCount)}" aria-label="Unlocked"></progress>
      <span class="hint">
        ${formatCount(unlockedCount)} of
        ${formatCount(totalCount)}${earnedPoints > 0 && ` · ${plural(earnedPoints, 'point')}`}
      </span>
    </summary>
    ${titleId !== null && titles.known(titleId) !== undefined && html`<p>${gameLink(titles, titleId)}</p>`}
    ${list({ id: 'achievement', rows: achievements, key: ({ id }) => id, item: achievement, empty: 'No achievements' })}
  </details>`;
}

function achievement({ id, name: text, description, points, is_hidden, earned, unlocked_at }: UserAchievement): Html {
  return html`<div${earned ? '' : raw(' class="locked"')}>
    <b>${earned ? achievementLink(id, text) : name(text)}</b> <span class="tag">${plural(points, 'point')}</span>
    ${is_hidden && html`<span class="tag">hidden</span>`}
    <p dir="auto">${description}</p>
    <p class="hint">${unlocked_at === null ? 'Not unlocked' : html`Unlocked ${time(unlocked_at)}`}</p>
  </div>`;
}
