import { observedTitle } from '@lobbystats/test-kit';
import { boundHistories } from '../src/backfills/bound-history.ts';
import type { PastBoard } from '../src/network/history.ts';
import { createTitleBound } from '../src/titles/title-bound.ts';

const idOf = (number: number) => number.toString(16).padStart(8, '0');
const KNOWN = Array.from({ length: 100 }, (_, index) => idOf(index));

function boundOf(known: readonly string[]) {
  const title = { home: null, page: null, pageSlot: null, since: null, seenAt: null, image: '', iconAt: null };
  return createTitleBound({ all: () => Promise.resolve(new Map(known.map((titleId) => [titleId, title]))) });
}

/** History feeds with ever new titles, leaderboards and parts. */
function hostile() {
  let number = 1000;
  const next = () => idOf((number += 1));
  const board = (titleId: string, leaderboardId: number): PastBoard => ({
    ...{ titleId, leaderboardId, pass: 0, name: 'Board', board: null },
  });
  return boundHistories(
    {
      history: {
        async *slots() {
          for (let slot = 0; slot < 48; slot += 1) {
            const found = [KNOWN[0] ?? '', ...Array.from({ length: 50 }, next)];
            yield {
              ...{ slot: '', registered: null, online: 9 },
              titles: found.map((titleId) => observedTitle({ titleId, online: 1 })),
            };
          }
        },
        async *days() {
          yield { date: '2026-01-15', registered: 1, seenAt: '2026-01-15T23:55:00Z' };
        },
      },
      boardHistory: {
        part: async () => ({
          boards: [
            ...Array.from({ length: 1500 }, () => board(KNOWN[0] ?? '', (number += 1))),
            ...Array.from({ length: 100 }, () => board(next(), 1)),
          ],
          next: next(),
        }),
      },
      playerHistory: {
        part: async () => ({
          players: [0, 1].map((player) => ({
            ...{ username: `P${player}`, gamertag: '', verified: false },
            spans: Array.from({ length: 100 }, () => ({ titleId: next(), game: 'Game', from: '', to: '' })),
          })),
          next: next(),
        }),
      },
    },
    boundOf(KNOWN),
  );
}

describe('a hostile history feed', () => {
  it('brings a bounded number of titles, and none that displaces a known one', async () => {
    const slots = await Array.fromAsync(hostile().history!.slots(0, 1));
    const titles = new Set(slots.flatMap((slot) => slot.titles.map(({ titleId }) => titleId)));
    expect(titles.size).toBe(1 + 50 + 10);
    for (const { titles: found } of slots) expect(found[0]?.titleId).toBe(KNOWN[0]);
  });

  it('is not limited by titles that the homepage has brought since', async () => {
    const title = { home: null, page: null, pageSlot: null, since: null, seenAt: null, image: '', iconAt: null };
    const known = new Map<string, typeof title>();
    const titles = createTitleBound({ all: () => Promise.resolve(known) });
    const isAdmittedAtFirst = await titles();
    expect(KNOWN.every(isAdmittedAtFirst)).toBe(true);
    for (const titleId of KNOWN) known.set(titleId, title);
    const isAdmitted = await titles();
    const others = Array.from({ length: 100 }, (_, index) => idOf(1000 + index));
    expect(others.filter(isAdmitted)).toEqual(others.slice(0, 50 + 10));
  });

  it('brings a bounded number of leaderboards of a title, and of titles', async () => {
    const { boardHistory } = hostile();
    const found: PastBoard[] = [];
    for (let part = 0; part < 5; part += 1) found.push(...((await boardHistory!.part(0, 1, null))?.boards ?? []));
    expect(found.filter(({ titleId }) => titleId === KNOWN[0])).toHaveLength(2000);
    expect(new Set(found.map(({ titleId }) => titleId)).size).toBe(61);
  });

  it('brings a bounded number of matches in a slot', async () => {
    const matches = Array.from({ length: 6000 }, () => ({ host: 'Fox', players: 1, maxPlayers: 2 }));
    const titles = [0, 1].map((index) => {
      return observedTitle({ titleId: KNOWN[index] ?? '', online: 1, matches: matches.slice(index) });
    });
    const history = {
      async *slots() {
        yield { slot: '2026-01-15T18:05:00Z', registered: null, online: 9, titles };
      },
      async *days() {
        yield { date: '2026-01-15', registered: 1, seenAt: '2026-01-15T23:55:00Z' };
      },
    };
    const bounded = boundHistories({ history, boardHistory: undefined, playerHistory: undefined }, boundOf(KNOWN));
    const [found] = await Array.fromAsync(bounded.history!.slots(0, 1));
    expect(found?.titles.map((title) => title.matches?.length)).toEqual([undefined, 5999]);
  });

  it('brings play time in a bounded number of titles, and presence in others', async () => {
    const part = await hostile().playerHistory!.part(0, 1, null);
    const spans = part?.players.flatMap((player) => player.spans) ?? [];
    expect([spans.length, new Set(spans.map(({ titleId }) => titleId)).size]).toEqual([200, 61]);
    expect(spans.at(-1)).toMatchObject({ titleId: null, game: 'Game' });
  });

  it('is not read without end', async () => {
    const { playerHistory } = hostile();
    const readAll = async () => {
      for (;;) await playerHistory!.part(0, 1, null);
    };
    await expect(readAll()).rejects.toMatchObject({ isFinal: true });
  });

  it('brings all titles of a network that is not known yet', async () => {
    const isAdmitted = await boundOf([])();
    expect(Array.from({ length: 6000 }, (_, index) => idOf(index)).filter(isAdmitted)).toHaveLength(5000);
  });
});
