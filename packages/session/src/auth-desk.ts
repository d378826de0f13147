import { AppError } from '@lobbystats/errors';
import { AuthFault, type Verdict } from './auth-service.ts';
import { Lane, type LaneOptions } from './lane.ts';

/** Whose keys: those that were valid before have a lane of their own. */
export type Keys = 'known' | 'strange';

export interface AuthDeskOptions {
  /** Asks the auth service whose a key is, for which the mark stands; rejects when it can't be told. */
  ask: (key: string, mark: string) => Promise<Verdict>;
  lanes: Readonly<Record<Keys, LaneOptions>>;
  /** Told of each question that ended, with what went wrong, if anything did. */
  onAnswered: (keys: Keys, fault: unknown) => void;
}

/** Turns to ask, and how the last of them went. */
interface Desk {
  readonly keys: Keys;
  readonly lane: Lane;
  /** Faults in a row: those of one lane say nothing of the other, for made-up keys may be what the service stumbles over. */
  faults: number;
}

/** A question to the auth service, which all share who have the same key. */
interface Question {
  readonly verdict: Promise<Verdict>;
  /** Whether the service has it: before that it waits for its turn. */
  readonly isBegun: boolean;
}

/** So many faults in a row in a lane, and the auth service counts as away for its keys. */
const AWAY_AFTER_FAULTS = 3;

/**
 * Where the auth service is asked: each key once at a time, so many keys at once, and while the service is away one after
 * another in each lane, to find out when it is back; everybody else is refused at once then and has nothing to wait for.
 */
export class AuthDesk {
  readonly #options: AuthDeskOptions;
  readonly #desks: Readonly<Record<Keys, Desk>>;
  readonly #questions = new Map<string, Question>();

  constructor(options: AuthDeskOptions) {
    this.#options = options;
    const { known, strange } = options.lanes;
    this.#desks = {
      known: { keys: 'known', lane: new Lane(known), faults: 0 },
      strange: { keys: 'strange', lane: new Lane(strange), faults: 0 },
    };
  }

  /**
   * Whose session a key is, and waits for a turn to ask.
   *
   * @param mark what stands for the key
   * @param isKnown whether it was valid before
   * @throws AppError `unavailable` when that can't be told, or too many ask
   */
  ask(key: string, mark: string, isKnown: boolean): Promise<Verdict> {
    const open = this.#questions.get(mark);
    if (open !== undefined) return open.verdict;
    const desk = this.#deskOf(isKnown);
    if (isClosed(desk)) return Promise.reject(unavailable());
    return this.#open(key, mark, desk, desk.lane.take());
  }

  /** The same, and waits for no turn: it is asked now, or is being asked, or too many ask. */
  askNow(key: string, mark: string, isKnown: boolean): Promise<Verdict> {
    const open = this.#questions.get(mark);
    if (open?.isBegun === true) return open.verdict;
    const desk = this.#deskOf(isKnown);
    if (open !== undefined || isClosed(desk) || !desk.lane.take()) return Promise.reject(unavailable());
    return this.#open(key, mark, desk, true);
  }

  #deskOf(isKnown: boolean): Desk {
    return isKnown ? this.#desks.known : this.#desks.strange;
  }

  #open(key: string, mark: string, desk: Desk, hasTurn: boolean): Promise<Verdict> {
    const question = { isBegun: hasTurn };
    const inTurn = async (): Promise<Verdict> => {
      if (!hasTurn && !(await desk.lane.wait())) throw unavailable();
      question.isBegun = true;
      return this.#askInTurn(key, mark, desk);
    };
    const verdict = inTurn().finally(() => this.#questions.delete(mark));
    // Readers may have gone when it fails.
    verdict.catch(() => undefined);
    this.#questions.set(mark, Object.assign(question, { verdict }));
    return verdict;
  }

  async #askInTurn(key: string, mark: string, desk: Desk): Promise<Verdict> {
    try {
      const verdict = await this.#options.ask(key, mark);
      this.#answered(desk, undefined);
      return verdict;
    } catch (cause) {
      this.#answered(desk, cause);
      throw unavailable(cause);
    } finally {
      desk.lane.release();
    }
  }

  #answered(desk: Desk, fault: unknown): void {
    desk.faults = isOutage(fault) ? desk.faults + 1 : 0;
    this.#options.onAnswered(desk.keys, fault);
  }
}

function isClosed({ lane, faults }: Desk): boolean {
  return faults >= AWAY_AFTER_FAULTS && !lane.isIdle();
}

function isOutage(fault: unknown): boolean {
  return fault !== undefined && !(fault instanceof AuthFault && fault.isOfKey);
}

function unavailable(cause?: unknown): AppError {
  return new AppError('unavailable', 'Sessions can not be checked at the moment, try again soon', { cause });
}
