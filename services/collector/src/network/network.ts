import type { EpochSeconds } from '@lobbystats/contracts';
import type { GamePageReading, HomepageReading } from './readings.ts';

export interface PageRequest {
  slot: EpochSeconds;
  deadlineMs: number;
}

/**
 * Requests within the rate limit, one at a time for each page, none during `Retry-After`. Rejects with a PageFailure.
 */
export interface Network {
  homepage(request: PageRequest): Promise<HomepageReading>;
  gamePage(titleId: string, request: PageRequest & { matches: boolean }): Promise<GamePageReading>;
}
