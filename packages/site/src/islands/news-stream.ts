import { createClient, type StreamData, type StreamTopic } from '@lobbystats/client';
import { browserFollows, onFollowsChanged } from './browser-follows.ts';
import { createEventNews } from './event-news.ts';
import { newsOf, topicsFor } from './news.ts';
import { createPresenceNews, type Timing } from './presence-news.ts';
import type { News } from './notices.ts';
import { createRecordNews } from './record-news.ts';

const TICK_MS = 20_000;
/** Time until a rejected stream is opened again; up to twice as long. */
const RETRY_MS = 30_000;
/** After a longer pause, such as sleep, what happened meanwhile is no news. Hidden pages have a tick in a minute. */
const PAUSE_MAX_MS = 180_000;

/** After slots this far apart, who is online is no news. */
const OUTAGE_MS = 900_000;

/** Reads what happens to what this browser follows. @returns what ends it */
export function readNews(timing: Timing, onNews: (news: readonly News[]) => void): () => void {
  const api = createClient({ baseUrl: location.origin });
  const players = createPresenceNews(api, timing, onNews);
  const events = createEventNews(api, onNews);
  const askForRecord = createRecordNews(api, timing, onNews);
  let follows = browserFollows();
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let aliveAt = Date.now();
  let slotAt = Infinity;

  const open = () => {
    source?.close();
    clearTimeout(retry);
    follows = browserFollows();
    aliveAt = Date.now();
    source = undefined;
    if (follows.length === 0) return;
    const topics = topicsFor(follows);
    const opened = new EventSource(api.streamUrl(topics));
    source = opened;
    opened.addEventListener('open', wakeUp);
    opened.addEventListener('reset', start);
    opened.addEventListener('error', () => {
      // The browser reopens a stream that breaks off, but not one that is rejected.
      if (opened.readyState === EventSource.CLOSED) retry = setTimeout(start, RETRY_MS * (1 + Math.random()));
    });
    for (const topic of topics) opened.addEventListener(topic, ({ data }) => receive(topic, String(data)));
  };
  const receive = (topic: StreamTopic, data: string) => {
    if (wakeUp()) return;
    const event = JSON.parse(data) as never;
    if (topic === 'events') events.put(event);
    if (topic === 'changes') void askForRecord(event, follows);
    if (topic === 'online') {
      const { slot } = event as StreamData['online'];
      const at = Date.parse(`${slot.replace(' ', 'T')}Z`);
      // Whether players were there meanwhile is not known.
      if (at - slotAt > OUTAGE_MS) players.forget();
      slotAt = at;
      players.askSoon(follows);
    }
    const news = newsOf(topic, event, follows);
    if (news.length > 0) onNews(news);
  };
  /** The stream would repeat what was missed. */
  const wakeUp = () => {
    const hasSlept = Date.now() - aliveAt > PAUSE_MAX_MS;
    if (hasSlept) start();
    return hasSlept;
  };
  const start = () => {
    players.forget();
    open();
    void players.ask(follows);
    void events.load(follows);
  };
  const tick = setInterval(() => {
    if (wakeUp()) return;
    if (source?.readyState === EventSource.OPEN) aliveAt = Date.now();
    void events.notice(follows);
  }, TICK_MS);
  let isEnded = false;
  onFollowsChanged(() => {
    if (!isEnded) start();
  });
  start();
  return () => {
    isEnded = true;
    clearInterval(tick);
    clearTimeout(retry);
    players.forget();
    source?.close();
    source = undefined;
  };
}
