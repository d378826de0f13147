import { parseInstant, titleObserved, type Message } from '@lobbystats/contracts';
import { handleBatch, type Handler } from '@lobbystats/message-bus';
import type { z } from 'zod';
import type { TitleObservation } from './apply-observations.ts';
import type { TitleCatalog } from './title-catalog.ts';

const BATCH = 100;

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
