import type { Activity } from '../../domain/readings.ts';
import { readCount } from './numbers.ts';

const IDLE = /^(?:[-–—]?|0|0 sessions?|0 in 0 sessions?)$/i;
const SESSIONS = / sessions?$/i;
const LONGEST = 200;

export function saysIdle(text: string): boolean {
  return IDLE.test(text);
}

export function speaksOfSessions(text: string): boolean {
  return /\bsessions?$/i.test(text);
}

/**
 * The activity cell: `N in M sessions` is N players in M sessions; `-`, `0`, `0 sessions`, `0 in 0 sessions` and
 * nothing are none. Null for any other text: then the game's own page tells, and is asked.
 */
export function readActivity(text: string): Activity | null {
  if (saysIdle(text)) return { sessions: 0, players: 0 };
  if (text.length > LONGEST || !SESSIONS.test(text)) return null;
  const [players, sessions, ...more] = text.replace(SESSIONS, '').split(/ in /i).map(readCount);
  if (players === undefined || sessions === undefined || more.length > 0) return null;
  // Players in no session at all: one of the two numbers is wrong, and nothing says which.
  return sessions === 0 ? null : { sessions, players };
}
