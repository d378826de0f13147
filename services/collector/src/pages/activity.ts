import type { Activity } from '../network/readings.ts';
import { readCount } from './numbers.ts';

const IDLE = /^(?:[-–—]?|0|0 sessions?|0 in 0 sessions?)$/i;
const SESSIONS = / sessions?$/i;
const MAX_LENGTH = 200;

export function isIdle(text: string): boolean {
  return IDLE.test(text);
}

export function mentionsSessions(text: string): boolean {
  return /\bsessions?$/i.test(text);
}

/**
 * Reads the activity cell: `N in M sessions` is N players in M sessions; `-`, `0`, `0 sessions`, `0 in 0 sessions` and
 * an empty cell are idle. Null for any other text: the title's own page is read then.
 */
export function readActivity(text: string): Activity | null {
  if (isIdle(text)) return { sessions: 0, players: 0 };
  if (text.length > MAX_LENGTH || !SESSIONS.test(text)) return null;
  const [players, sessions, ...more] = text.replace(SESSIONS, '').split(/ in /i).map(readCount);
  if (players === undefined || sessions === undefined || more.length > 0) return null;
  // Players in 0 sessions contradict each other.
  return sessions === 0 ? null : { sessions, players };
}
