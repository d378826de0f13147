import type { ServiceName } from '@lobbystats/contracts';
import type { Logger, Metrics } from '@lobbystats/service-kit';

/**
 * What became of a question to an owner: it was `answered`, whatever the status; `failed`, when no answer came; `retried`, when
 * its connection broke and it is asked once more; `late`, when its time ran out through no fault of the owner; `crowded`, when
 * too many were under way, or `cut`, when the owner has given no answers: these two were not asked. `dropped` counts large
 * answers that were broken off for another reader, besides their `answered`.
 */
export type Outcome = 'answered' | 'failed' | 'retried' | 'late' | 'crowded' | 'cut' | 'dropped';

/** Who wants to know how owners do. */
export interface OwnerHooks {
  became(owner: ServiceName, outcome: Outcome): void;
  /** Its circuit opened, or closed again. */
  circuitChanged(owner: ServiceName, isOpen: boolean): void;
}

/** Counts what becomes of questions, and tells once of an owner that gives no answers, and once that it does again. */
export function ownerHooks(logger: Logger, metrics: Metrics): OwnerHooks {
  const requests = metrics.counter('owner_requests_total', 'Questions to owners by what became of them', [
    'owner',
    'outcome',
  ]);
  const open = metrics.gauge('owner_circuit_open', 'Whether an owner is not asked because it gives no answers', [
    'owner',
  ]);
  const counters = new Map<string, { inc(): void }>();
  const counterOf = (owner: ServiceName, outcome: Outcome) => {
    const key = `${owner} ${outcome}`;
    const counter = counters.get(key) ?? requests.labels(owner, outcome);
    counters.set(key, counter);
    return counter;
  };
  return {
    became: (owner, outcome) => {
      counterOf(owner, outcome).inc();
    },
    circuitChanged: (owner, isOpen) => {
      open.set({ owner }, isOpen ? 1 : 0);
      if (isOpen)
        logger.warn('circuit opened: the service gives no answers, and one request a second tries it', {
          owner,
        });
      else logger.info('circuit closed: the service answers again', { owner });
    },
  };
}
