import type { Horizon } from './horizon.ts';
import type { InfluxConnection } from './influx-connection.ts';

/** What the parts of the store are made of. */
export interface StoreParts {
  influx: InfluxConnection;
  horizon: Horizon;
  /** Runs works that read a point and write it anew one after the other. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Told how many points were left out of a write because they have expired. */
  onExpired: (points: number) => void;
}
