import type { ServiceName } from '@lobbystats/contracts';
import type { Logger, Metrics } from '@lobbystats/service-kit';

/**
 * `answered`: any status. `failed`: no response. `retried`: the connection broke. `late`: out of time through no fault of
 * the upstream. `crowded` and `cut`: not sent, by the concurrency limit or the circuit breaker. `dropped`: a streaming
 * response aborted in favour of another reader.
 */
export type RequestOutcome = 'answered' | 'failed' | 'retried' | 'late' | 'crowded' | 'cut' | 'dropped';

export interface UpstreamHooks {
  onOutcome(owner: ServiceName, outcome: RequestOutcome): void;
  onCircuitChange(owner: ServiceName, isOpen: boolean): void;
}

export function upstreamHooks(logger: Logger, metrics: Metrics): UpstreamHooks {
  const requests = metrics.counter('owner_requests_total', 'Requests to upstreams, by outcome', ['owner', 'outcome']);
  const open = metrics.gauge('owner_circuit_open', 'Whether the circuit of an upstream is open', ['owner']);
  const counters = new Map<string, { inc(): void }>();
  const counterOf = (owner: ServiceName, outcome: RequestOutcome) => {
    const key = `${owner} ${outcome}`;
    const counter = counters.get(key) ?? requests.labels(owner, outcome);
    counters.set(key, counter);
    return counter;
  };
  return {
    onOutcome: (owner, outcome) => {
      counterOf(owner, outcome).inc();
    },
    onCircuitChange: (owner, isOpen) => {
      open.set({ owner }, isOpen ? 1 : 0);
      if (isOpen)
        logger.warn('circuit opened: the upstream does not respond, one request a second probes it', {
          owner,
        });
      else logger.info('circuit closed: the upstream responds again', { owner });
    },
  };
}
