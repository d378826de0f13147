import type { Candidate, Shares } from './channel-store.ts';

/** Turns of one account, and to one receiving host, at once. */
const [ACCOUNT_MAX, RECEIVER_MAX] = [4, 64];

/** Counts what runs, so that neither an account nor a receiving host takes the place of all others. */
export class FairShares implements Shares {
  readonly #running: Record<keyof Omit<Candidate, 'id'>, Map<string, number>> = {
    userKey: new Map(),
    receiver: new Map(),
  };

  get userKeys(): string[] {
    return fullOf(this.#running.userKey, ACCOUNT_MAX);
  }

  get receivers(): string[] {
    return fullOf(this.#running.receiver, RECEIVER_MAX);
  }

  pick(candidates: readonly Candidate[], limit: number): Candidate[] {
    const userKey = new Map(this.#running.userKey);
    const receiver = new Map(this.#running.receiver);
    const picked: Candidate[] = [];
    for (const one of candidates) {
      if (picked.length === limit) break;
      if (countOf(userKey, one.userKey) >= ACCOUNT_MAX || countOf(receiver, one.receiver) >= RECEIVER_MAX) continue;
      change(userKey, one.userKey, 1);
      change(receiver, one.receiver, 1);
      picked.push(one);
    }
    return picked;
  }

  begin(one: Pick<Candidate, 'userKey' | 'receiver'>): void {
    change(this.#running.userKey, one.userKey, 1);
    change(this.#running.receiver, one.receiver, 1);
  }

  end(one: Pick<Candidate, 'userKey' | 'receiver'>): void {
    change(this.#running.userKey, one.userKey, -1);
    change(this.#running.receiver, one.receiver, -1);
  }
}

function countOf(counts: ReadonlyMap<string, number>, key: string): number {
  return counts.get(key) ?? 0;
}

function change(counts: Map<string, number>, key: string, by: number): void {
  const count = countOf(counts, key) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function fullOf(counts: ReadonlyMap<string, number>, max: number): string[] {
  return [...counts].filter(([, count]) => count >= max).map(([key]) => key);
}
