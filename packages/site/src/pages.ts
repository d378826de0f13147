import type { Assets } from './bundle-assets.ts';
import type { Page } from './page.ts';
import { achievement } from './pages/achievements/achievement.ts';
import { achievements } from './pages/achievements/achievements.ts';
import { changes } from './pages/changes/changes.ts';
import { compare } from './pages/compare/compare.ts';
import { docs } from './pages/docs/docs.ts';
import { event } from './pages/events/event.ts';
import { events } from './pages/events/events.ts';
import { game } from './pages/game/game.ts';
import { games } from './pages/games/games.ts';
import { gameWidget } from './pages/game/widget.ts';
import { guide } from './pages/guide/guide.ts';
import { home } from './pages/home/home.ts';
import { leaderboard } from './pages/leaderboard/leaderboard.ts';
import { live } from './pages/live/live.ts';
import { login } from './pages/login/login.ts';
import { following } from './pages/me/following.ts';
import { me } from './pages/me/me.ts';
import { network } from './pages/network/network.ts';
import { offline } from './pages/offline/offline.ts';
import { player } from './pages/player/player.ts';
import { search } from './pages/search/search.ts';

/** The pages that are the same in every installation. */
export const pages = [
  achievement,
  achievements,
  changes,
  compare,
  event,
  events,
  game,
  gameWidget,
  games,
  home,
  leaderboard,
  live,
  following,
  me,
  network,
  offline,
  player,
  search,
];

export interface Installation {
  readonly assets: Pick<Assets, 'pathOf'>;
  /** The auth service, as browsers reach it. */
  readonly authPublicUrl: string;
  /** Whether the network is the simulated one, whose users sign in with the password that the page names. */
  readonly isSimulated: boolean;
}

/** The pages that name what is part of an installation. */
export function installedPages({ assets, authPublicUrl, isSimulated }: Installation): readonly Page[] {
  return [
    docs({ style: assets.pathOf('docs.css'), script: assets.pathOf('docs.js') }),
    guide({ authPublicUrl, isSimulated }),
    login({ authPublicUrl, isSimulated }),
  ];
}
