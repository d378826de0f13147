import type { ServiceName } from '@lobbystats/contracts';
import type { Logger, Metrics } from '@lobbystats/service-kit';

/**
 * `answered`: any status. `failed`: no answer. `retried`: the connection broke. `late`: out of time through no fault of
 * the upstream. `crowded` and `cut`: not sent, by the concurrency limit or the circuit breaker. `dropped`: a streaming
 * answer aborted in favour of another reader.
 */
export type Outcome = 'answered' | 'failed' | 'retried' | 'late' | 'crowded' | 'cut' | 'dropped';

export interface OwnerHooks {
  became(owner: ServiceName, outcome: Outcome): void;
  circuitChanged(owner: ServiceName, isOpen: boolean): void;
}

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
