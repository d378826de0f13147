import type { Outbox } from '@lobbystats/contracts';

/** Removes all pending facts without publishing them. */
export async function emptyOutbox({ outbox }: { readonly outbox: Outbox }): Promise<void> {
  for (;;) {
    const waiting = await outbox.pending(200);
    if (waiting.length === 0) return;
    await outbox.remove(waiting.map(({ place }) => place));
  }
}
