import { setTimeout as elapse } from 'node:timers/promises';
import { doAsTold } from './do-as-told.ts';
import type { Asking } from './askers.ts';

/** How long a loop waits that was told to come again: nobody's loop does less who reads the answer. */
const REFUSED_MS = 1000;

/** What a month of everything costs most to answer. */
const HEAVIEST = [
  'SELECT count(distinct(host)) FROM match WHERE time > now() - 30d',
  'SELECT mean(online) FROM title WHERE time > now() - 30d GROUP BY time(5m)',
  'SELECT percentile(online, 95) FROM title WHERE time > now() - 30d GROUP BY titleId',
  'SELECT sum(lobbyPlayers) / sum(online) FROM title WHERE time > now() - 30d GROUP BY time(1h), titleId',
] as const;

/** Asks the heaviest questions in loops, until it is stopped: then what is under way is given up. */
function askWithoutEnd({ url, token, buckets, loops }: Asking) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const counts = { answered: 0, refused: 0 };
  const ask = async (q: string): Promise<void> => {
    const search = new URLSearchParams({ db: buckets.snapshots, q });
    const answer = await fetch(`${url}/query?${search.toString()}`, {
      headers: { authorization: `Token ${token}` },
      signal,
    });
    await answer.arrayBuffer();
    counts[answer.ok ? 'answered' : 'refused'] += 1;
    if (!answer.ok) await elapse(REFUSED_MS, undefined, { signal });
  };
  const loop = async (first: number): Promise<void> => {
    for (let index = first; !signal.aborted; index += 1)
      await ask(HEAVIEST[index % HEAVIEST.length] ?? '').catch(ignoreStop);
  };
  const ignoreStop = (error: unknown): void => {
    if (!signal.aborted) throw error;
  };
  const running = Array.from({ length: loops }, (_, index) => loop(index));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
      return counts;
    },
  };
}

let asking: ReturnType<typeof askWithoutEnd> | undefined;

doAsTold(async (told) => {
  const command = told as Asking | 'stop';
  if (command === 'stop') return asking?.stop();
  asking = askWithoutEnd(command);
  return undefined;
});
