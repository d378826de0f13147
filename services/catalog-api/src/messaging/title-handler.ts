import { parseInstant, titleObserved, type Message } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { z } from 'zod';
import type { TitleObservation } from '../domain/apply-observations.ts';
import type { TitleCatalog } from '../domain/title-catalog.ts';

/** Observations taken in with one commit, at most. */
const BATCH = 100;

/**
 * Takes in what pages say of titles.
 *
 * @param onObserved called after each commit, with how many titles it changed and how many are shown
 */
export function titleHandler(
  catalog: TitleCatalog,
  onObserved: (counts: { changed: number; shown: number }) => void,
): Handler {
  const observe = async (messages: ObservedMessage[], past: boolean): Promise<void> => {
    const observations = messages.filter((message) => message.past === past).map(toObservation);
    if (observations.length === 0) return;
    onObserved(await catalog.observe(observations, past));
  };
  return handleBatch(titleObserved, BATCH, async (messages) => {
    await observe(messages, true);
    await observe(messages, false);
  });
}

type ObservedMessage = Message<z.output<typeof titleObserved.data>>;

function toObservation({ data }: ObservedMessage): TitleObservation {
  return { seenAt: parseInstant(data.seenAt), titles: data.titles };
}
