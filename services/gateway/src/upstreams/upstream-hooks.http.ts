import type { ServiceName } from '@lobbystats/contracts';
import { context, type Logger, type Metrics } from '@lobbystats/service-kit';

/**
 * `answered`: any status. `failed`: no response. `retried`: the connection broke. `timeout`: out of time through no fault of
 * the upstream. `rejected` and `circuit_open`: not sent, by the concurrency limit or the circuit breaker. `dropped`: a streaming
 * response aborted in favour of another reader.
 */
export type RequestOutcome = 'answered' | 'failed' | 'retried' | 'timeout' | 'rejected' | 'circuit_open' | 'dropped';

export interface UpstreamHooks {
  onOutcome(upstream: ServiceName, outcome: RequestOutcome): void;
  onCircuitChange(upstream: ServiceName, isOpen: boolean): void;
}

export function upstreamHooks(logger: Logger, metrics: Metrics): UpstreamHooks {
  const requests = metrics.counter('upstream_requests_total', 'Requests to upstreams, by outcome', [
    'upstream',
    'outcome',
  ]);
  const open = metrics.gauge('upstream_circuit_open', 'Whether the circuit of an upstream is open', ['upstream']);
  const counters = new Map<string, { inc(): void }>();
  const counterOf = (upstream: ServiceName, outcome: RequestOutcome) => {
    const key = `${upstream} ${outcome}`;
    const counter = counters.get(key) ?? requests.labels(upstream, outcome);
    counters.set(key, counter);
    return counter;
  };
  return {
    onOutcome: (upstream, outcome) => {
      counterOf(upstream, outcome).inc();
    },
    onCircuitChange: (upstream, isOpen) => {
      open.set({ upstream }, isOpen ? 1 : 0);
      if (isOpen)
        logger.warn('circuit opened: the upstream does not respond, one request a second probes it', {
          upstream,
        });
      else logger.info('circuit closed: the upstream responds again', { upstream });
    },
  };
}

/** Continues the trace of the current request. */
export function requestHeaders(): Record<string, string> {
  const current = context.current();
  if (current === undefined) return {};
  const { requestId, traceparent } = current;
  return requestId === undefined ? { traceparent } : { traceparent, 'x-request-id': requestId };
}
