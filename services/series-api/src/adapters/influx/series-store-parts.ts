import type { Horizon } from './horizon.ts';
import type { InfluxConnection } from './influx-connection.ts';

export interface StoreParts {
  influx: InfluxConnection;
  horizon: Horizon;
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  onExpired: (points: number) => void;
}
