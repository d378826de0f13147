import type { Client } from '@lobbystats/client';
import { links } from '../links.ts';
import type { Target } from './browser-follows.ts';

/** The page of a target. */
export function pathOf({ kind, id }: Target): string {
  const [titleId = '', board = ''] = id.split(':');
  if (kind === 'leaderboard') return links.leaderboard(titleId, board);
  if (kind === 'event') return links.event(id);
  return kind === 'game' ? links.game(id) : links.player(id);
}

/** The name of a target; its ID while it is unknown. */
export async function nameOf(api: Client, { kind, id }: Target): Promise<string> {
  const [titleId = '', board] = id.split(':');
  try {
    if (kind === 'game') return (await api.getGame({ titleId })).name;
    if (kind === 'event') return (await api.getEvent({ eventId: Number(id) })).title;
    if (kind === 'player') return id;
    const boards = await api.listLeaderboards({ titleId });
    return boards.find((one) => one.id === Number(board))?.name ?? id;
  } catch {
    return id;
  }
}
