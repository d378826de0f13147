import { achievement } from './pages/achievements/achievement.ts';
import { achievements } from './pages/achievements/achievements.ts';
import { changes } from './pages/changes/changes.ts';
import { compare } from './pages/compare/compare.ts';
import { event } from './pages/events/event.ts';
import { events } from './pages/events/events.ts';
import { game } from './pages/game/game.ts';
import { games } from './pages/games/games.ts';
import { gameWidget } from './pages/game/widget.ts';
import { home } from './pages/home/home.ts';
import { leaderboard } from './pages/leaderboard/leaderboard.ts';
import { live } from './pages/live/live.ts';
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
