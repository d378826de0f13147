import type { ServerResponse } from 'node:http';
import { Roster } from './roster.ts';

/** The answers of a server that aren't out yet. */
export class AnswersInFlight implements Iterable<ServerResponse> {
  readonly #roster = new Roster<ServerResponse>();
  /** Those whose end was asked for in this turn. */
  #ending: ServerResponse[] = [];

  /** @returns takes it out again; to do so twice is nothing */
  enter(res: ServerResponse): () => void {
    return this.#roster.enter(res);
  }

  /**
   * Takes one in whose end has been asked for at the turn's end, and takes it out by itself. Behind that end there is nothing left of
   * most, and they have cost next to nothing here.
   */
  enterEnding(res: ServerResponse): void {
    // Behind what is done at the turn's end, and behind what Node does after that.
    if (this.#ending.length === 0) setImmediate(() => this.#takeInTheRest());
    this.#ending.push(res);
  }

  /** In no order. */
  *[Symbol.iterator](): Generator<ServerResponse> {
    yield* this.#roster;
    for (const res of this.#ending) if (!isOut(res)) yield res;
  }

  #takeInTheRest(): void {
    const ending = this.#ending;
    this.#ending = [];
    for (const res of ending) if (!isOut(res)) res.once('close', this.#roster.enter(res));
  }
}

function isOut(res: ServerResponse): boolean {
  return res.writableFinished || res.destroyed;
}
