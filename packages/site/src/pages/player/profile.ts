import { html, type Html } from '../../html.ts';
import { playTimeText } from '../../dates.ts';
import { links } from '../../links.ts';
import type { PageData } from '../../page.ts';
import { follow } from '../../parts/follow.ts';
import { list } from '../../parts/list.ts';
import { isTracked, portrait, presence } from '../../parts/person.ts';
import { figures, section, type Figure, UNAVAILABLE } from '../../parts/part.ts';
import { formatCount, gameLink, name, plural, time, timeRange } from '../../parts/text.ts';
import type { FoundPlayer, User } from '../../parts/find-player.ts';
import type { PlayerUrl } from './player-url.ts';
import { discordUrl, linkInput, operations, platformDomains } from '@lobbystats/contracts';

const { getUserGames } = operations;

/** Name, presence and the most important numbers. */
export async function playerHead(
  { name: heading, user, playerName, standing, host }: FoundPlayer,
  urlOf: PlayerUrl,
  data: PageData,
): Promise<Html> {
  const all: Figure[] = [
    {
      name: 'Leaderboards',
      value: standing === undefined ? '–' : formatCount(standing.leaderboardsOn),
      aside: standing === undefined ? 'unavailable' : `top 10 on ${formatCount(standing.top10Count)}`,
      href: urlOf({ tab: 'leaderboards' }),
    },
    {
      name: 'Matches hosted',
      value: host === undefined ? '–' : formatCount(host.matchesHosted),
      aside: host === undefined ? 'unavailable' : 'in 30 days',
    },
  ];
  if (user) {
    all.unshift({
      name: 'Achievement points',
      value: formatCount(user.achievementScore),
      aside: plural(user.achievementCount, 'achievement'),
      href: urlOf({ tab: 'achievements' }),
    });
    all.push({ name: 'Play time', value: isTracked(user) ? playTimeText(user.playTime.totalMinutes) : '–' });
  }
  return html`<section aria-labelledby="heading">
    <div class="person">
      ${portrait(heading, user?.profile.avatar_hue ?? null)}
      <div>
        <h1 id="heading">${name(heading)}</h1>
        <p class="lead">${presence(user, data.titles)}</p>
        ${user && (await favouriteGame(user.username, data))}
      </div>
      <div class="actions">
        ${follow('player', heading, links.player(heading))}
        <a class="button" href="${links.compare({ players: playerName })}" data-compare="${playerName}">Compare</a>
      </div>
    </div>
    ${figures(all)}
  </section>`;
}

/** The game of the longest play time. */
async function favouriteGame(username: string, data: PageData): Promise<Html | ''> {
  const [most] = (await data.find(getUserGames, { username }))?.games ?? [];
  if (most === undefined || most.totalMinutes === 0) return '';
  return html`<p>
    Favourite game: ${gameLink(data.titles, most.titleId)} <span class="hint">${playTimeText(most.totalMinutes)}</span>
  </p>`;
}

/** Public fields of an account, and what is known of its player. */
export function profileSection({ user, playerName, host }: FoundPlayer, data: PageData): Html {
  return section(
    'profile',
    'Profile',
    html`${user === undefined && UNAVAILABLE}
      ${user && user.profile.bio !== '' && html`<p class="bio" dir="auto">${user.profile.bio}</p>`}
      <dl class="facts">
        ${user && accountFacts(user, data)}
        ${
          !user &&
          html`<dt>Name on leaderboards</dt>
            <dd>${name(playerName)}</dd>`
        }
        <dt>Matches hosted</dt>
        <dd>${host === undefined ? 'unavailable' : hosted(host)}</dd>
      </dl>`,
  );
}

function hosted({ matchesHosted, firstSeenAt, lastSeenAt }: NonNullable<FoundPlayer['host']>): Html | string {
  if (firstSeenAt === null || lastSeenAt === null) return 'none in the last 30 days';
  return html`${formatCount(matchesHosted)} in the last 30 days: from ${timeRange(firstSeenAt, lastSeenAt)}`;
}

function accountFacts(user: User, data: PageData): Html {
  const { username, profile, usesExplicitConsoleLiveGamertag, playTime } = user;
  const { lastPlayedTitleId: last, lastPlayedAt } = playTime;
  return html`<dt>Username</dt>
    <dd>${name(username)}</dd>
    <dt>Name on leaderboards</dt>
    <dd>
      ${usesExplicitConsoleLiveGamertag ? name(profile.linked_gamertag) : 'the username'}
      ${profile.console_verified && html`<span class="tag">verified by the network</span>`}
    </dd>
    <dt>Last played</dt>
    <dd>
      ${last === null || lastPlayedAt === null ? (isTracked(user) ? 'nothing yet' : 'not known') : html`${gameLink(data.titles, last)}, ${time(lastPlayedAt)}`}
    </dd>
    <dt>Discord</dt>
    <dd>${discord(profile)}</dd>
    ${profile.avatar_url !== '' && avatarFact(profile)} ${profile.social_links.length > 0 && linkFacts(profile)}`;
}

/** The address alone: pictures of other hosts are not loaded. */
function avatarFact({ avatar_url: url, sync_avatar_from_discord: isSynced }: User['profile']): Html {
  return html`<dt>Avatar</dt>
    <dd><code>${url}</code>${isSynced && ' (from Discord)'}</dd>`;
}

function linkFacts({ social_links: all }: User['profile']): Html {
  return html`<dt>Links</dt>
    <dd>
      ${list({ id: 'link', rows: all, key: ({ url }) => url, item: socialLink, empty: '', className: 'links' })}
    </dd>`;
}

function discord({ discord_profile_url: url, discord_verified: isVerified }: User['profile']): Html | string {
  if (url === '') return 'not linked';
  return html`${outbound('discord', url, 'Discord profile')}${isVerified && html` <span class="tag" title="The number exists; it is not known whose it is">number checked</span>`}`;
}

function socialLink({ platform, url, label }: User['profile']['social_links'][number]): Html {
  return html`${name(platform)}: ${outbound(platform, url, label ?? url)}`;
}

/** Other addresses are text: a click on a profile leads to known hosts only. */
function outbound(platform: string, url: string, text: string): Html {
  const target = linkTarget(platform, url);
  if (target === undefined) return html`${text !== url && html`${name(text)} `}<code>${url}</code>`;
  return html`<a href="${target}" rel="ugc nofollow noopener noreferrer">${name(text)}</a>`;
}

/** The URL if it is https and leads to a host of its platform; undefined for other platforms, which may have any host. */
function linkTarget(platform: string, url: string): string | undefined {
  if (platform === 'discord') return discordUrl.safeParse(url).data;
  return platformDomains.has(platform) ? linkInput.safeParse({ platform, url }).data?.url : undefined;
}
