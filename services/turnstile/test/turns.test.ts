import { NoTurn, Turns, type EndTurn } from '../src/domain/turns.ts';

const stays = new AbortController().signal;
const WAIT_MS = 30_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const turnsOf = ({ share = 1, savingsMs = 0, waitingMax = 10 } = {}) =>
  new Turns({ share, savingsMs, waitMs: WAIT_MS, waitingMax, now: () => performance.now() });

/** Everybody's name when it is their turn, in that order; `end` ends the turn of whoever has it. */
function askFor(turns: Turns, ...names: string[]) {
  const served: string[] = [];
  const refused: NoTurn[] = [];
  let under: EndTurn | undefined;
  for (const name of names) {
    turns.take(name, stays).then(
      (end) => {
        served.push(name);
        under = end;
      },
      (error: unknown) => refused.push(error as NoTurn),
    );
  }
  const settle = () => jest.advanceTimersByTimeAsync(0);
  return { served, refused, settle, end: () => under?.() };
}

describe('turns', () => {
  it('are one at a time', async () => {
    const { served, settle, end } = askFor(turnsOf(), 'ada', 'ben');
    await settle();
    expect(served).toEqual(['ada']);
    end();
    end();
    await settle();
    expect(served).toEqual(['ada', 'ben']);
  });

  it('go round: who asks ten at once has one, then everybody else', async () => {
    const { served, settle, end } = askFor(turnsOf(), 'ada', 'ada', 'ada', 'ben', 'cleo', 'ben');
    for (let turn = 0; turn < 6; turn += 1) {
      await settle();
      end();
    }
    expect(served).toEqual(['ada', 'ada', 'ben', 'cleo', 'ada', 'ben']);
  });

  it('leave the rest of the time to others, once what was put by is used up', async () => {
    const { served, settle, end } = askFor(turnsOf({ share: 0.1, savingsMs: 50 }), 'ada', 'ada', 'ada');
    await settle();
    jest.advanceTimersByTime(40);
    end();
    await settle();
    expect(served).toHaveLength(2);
    jest.advanceTimersByTime(100);
    end();
    // Of 50 ms 10 were left, 10 came in meanwhile, 100 were used: 80 are owed.
    await jest.advanceTimersByTimeAsync(790);
    expect(served).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(20);
    expect(served).toHaveLength(3);
  });

  it('are given up by who goes away, and whom it makes wait no longer', async () => {
    const turns = turnsOf();
    const first = askFor(turns, 'ada');
    await first.settle();
    const leaving = new AbortController();
    const left = turns.take('ben', leaving.signal).catch((error: unknown) => error);
    const last = askFor(turns, 'cleo');
    leaving.abort(new Error('gone'));
    expect(await left).toEqual(new Error('gone'));
    first.end();
    await last.settle();
    expect(last.served).toEqual(['cleo']);
    await expect(turns.take('ben', leaving.signal)).rejects.toThrow('gone');
  });

  it('are refused to who has waited for too long', async () => {
    const { served, refused, settle } = askFor(turnsOf(), 'ada', 'ben');
    await settle();
    await jest.advanceTimersByTimeAsync(WAIT_MS);
    expect(served).toEqual(['ada']);
    expect(refused).toEqual([new NoTurn('Another question takes long', 5)]);
  });

  it('say that the share is used up where that is what one has waited for', async () => {
    const { served, refused, settle, end } = askFor(turnsOf({ share: 0.1 }), 'ada', 'ben', 'cleo');
    for (const name of ['ada', 'ben']) {
      await settle();
      expect(served.at(-1)).toBe(name);
      jest.advanceTimersByTime(2000);
      end();
      await jest.advanceTimersByTimeAsync(20_000);
    }
    expect(refused).toEqual([new NoTurn('The share of time for questions is used up', 8)]);
  });

  it('are refused at once where more is owed than anybody waits for, with when to come again', async () => {
    const turns = turnsOf({ share: 0.1 });
    const first = askFor(turns, 'ada');
    await first.settle();
    jest.advanceTimersByTime(10_000);
    first.end();
    const second = askFor(turns, 'ada');
    await second.settle();
    expect(second.refused.map(({ seconds }) => seconds)).toEqual([100]);
    await jest.advanceTimersByTimeAsync(100_000);
    const third = askFor(turns, 'ada');
    await third.settle();
    expect(third.served).toEqual(['ada']);
  });

  it('are waited for by so many and no more', async () => {
    const { refused, settle } = askFor(turnsOf({ waitingMax: 2 }), 'ada', 'ben', 'cleo', 'dan');
    await settle();
    expect(refused.map(({ message }) => message)).toEqual(['Too many questions wait']);
  });
});
