import type { Metrics } from '../metrics/create-metrics.ts';

/** What is known of an outbox. */
export interface OutboxWatch {
  /** For details of the service's health. */
  readonly outbox: { readonly waiting: number };
  /** Told by the outbox's relay how many facts are stored and not yet published. */
  readonly onBacklog: (facts: number) => void;
}

/** Counts what waits in an outbox. */
export function watchOutbox(metrics: Metrics): OutboxWatch {
  const depth = metrics.gauge('outbox_facts', 'Facts that are stored and not yet published');
  const outbox = { waiting: 0 };
  return {
    outbox,
    onBacklog: (facts) => {
      outbox.waiting = facts;
      depth.set(facts);
    },
  };
}
