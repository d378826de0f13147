import type { Client, StreamData } from '@lobbystats/client';
import { recordNews } from '@lobbystats/contracts/news';
import { isSame, type Target } from './browser-follows.ts';
import { noticeOf } from './news.ts';
import type { News } from './notices.ts';
import type { Timing } from './presence-news.ts';

/** Records of followed leaderboards. The stream does not tell which changes are records: the API is asked. */
export function createRecordNews(
  api: Pick<Client, 'listChanges'>,
  { spreadMs }: Timing,
  onNews: (news: readonly News[]) => void,
) {
  return async (change: StreamData['changes'], follows: readonly Target[]): Promise<void> => {
    const { id, titleId, leaderboardId, newRank } = change;
    const news = noticeOf(recordNews(change));
    if (newRank !== 1 || !follows.some(isSame(news.target))) return;
    await new Promise((resolve) => {
      setTimeout(resolve, Math.random() * spreadMs);
    });
    const board = { titleId, leaderboardId, records: 'only' } as const;
    const { changes } = await api.listChanges({ ...board, after: id - 1, limit: 1 }).catch(() => ({ changes: [] }));
    if (changes.some((one) => one.id === id)) onNews([news]);
  };
}
