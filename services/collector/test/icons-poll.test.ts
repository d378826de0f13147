import { DAY_SECONDS } from '@lobbystats/contracts';
import { createIconsPoll, maxIconsPerSlot } from '../src/polls/icons-poll.ts';
import type { AnnouncedTitle } from '../src/titles/announced-titles.ts';
import { SLOT } from './running-collector.ts';

function pollOf(titles: Record<string, Partial<AnnouncedTitle>>, maxPerSlot: number) {
  const unknown = { home: null, page: null, pageSlot: null, since: null, seenAt: null, image: '', iconAt: null };
  const rows = new Map(Object.entries(titles).map(([titleId, title]) => [titleId, { ...unknown, ...title }]));
  const asked: string[] = [];
  const poll = createIconsPoll({
    icons: {
      icon: (image) => {
        asked.push(image);
        return Promise.resolve(undefined);
      },
    },
    titles: {
      all: () => Promise.resolve(rows),
      recordIcon: (titleId, at) => {
        rows.set(titleId, { ...unknown, ...rows.get(titleId), iconAt: at });
        return Promise.resolve();
      },
    },
    publisher: { publishIcon: () => Promise.resolve() },
    time: { now: () => SLOT * 1000, sleep: () => Promise.resolve() },
    stopping: new AbortController().signal,
    maxPerSlot,
  });
  return { poll, asked };
}

describe('reading icons in a slot', () => {
  it('begins with titles that have none, then takes the oldest, as many as a slot may', async () => {
    const { poll, asked } = pollOf(
      {
        fresh: { image: 'fresh', iconAt: SLOT - DAY_SECONDS + 1 },
        old: { image: 'old', iconAt: SLOT - DAY_SECONDS },
        none: { image: '' },
        older: { image: 'older', iconAt: SLOT - 2 * DAY_SECONDS },
        first: { image: 'first' },
      },
      2,
    );
    await poll(SLOT);
    expect(asked.splice(0)).toEqual(['first', 'older']);
    await poll(SLOT);
    expect(asked.splice(0)).toEqual(['old']);
  });

  it('takes a tenth of the requests that the rate allows', () => {
    expect([1, 2, 20].map(maxIconsPerSlot)).toEqual([30, 60, 600]);
  });
});
