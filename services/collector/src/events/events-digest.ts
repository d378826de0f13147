import { createHash } from 'node:crypto';
import type { EventsReading } from '../network/readings.ts';

export function eventsDigest({ events, unread }: EventsReading): string {
  const announced = JSON.stringify([events, unread]);
  return createHash('sha256').update(announced).digest('base64url').slice(0, 22);
}
