import { eventStored } from '@lobbystats/contracts';
import { splitBySize } from '../facts/split-by-size.ts';
import type { StoredEvent } from './event-store.ts';
import { toPublicEvent } from './event-view.ts';
import type { Fact } from '@lobbystats/contracts';
import { CHARACTERS_PER_FACT } from '../titles/title-facts.ts';

const EVENTS_PER_FACT = 500;

interface FactsAbout extends Pick<Fact, 'occurredAt' | 'past'> {
  readonly origin: string;
}

/** Each fact's time is later than the one before, so that times identify facts. */
export function eventFacts(
  put: readonly StoredEvent[],
  withdrawn: readonly number[],
  { origin, occurredAt, past }: FactsAbout,
): Fact[] {
  const [first = [], ...others] = splitBySize(put.map(toPublicEvent), {
    count: EVENTS_PER_FACT,
    characters: CHARACTERS_PER_FACT,
  });
  if (first.length + withdrawn.length === 0) return [];
  const data = [{ events: first, withdrawn: [...withdrawn] }, ...others.map((events) => ({ events, withdrawn: [] }))];
  return data.map((some, index) => ({
    type: eventStored.key,
    id: `${eventStored.key}:${origin}:${occurredAt}:${index + 1}`,
    occurredAt,
    past,
    data: some,
  }));
}
