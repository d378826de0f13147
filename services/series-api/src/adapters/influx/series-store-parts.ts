import type { RetentionWindow } from './retention-window.ts';
import type { InfluxConnection } from './influx-connection.ts';

export interface StoreParts {
  influx: InfluxConnection;
  horizon: RetentionWindow;
  withMutex: <T>(work: () => Promise<T>) => Promise<T>;
  onExpired: (points: number) => void;
}
