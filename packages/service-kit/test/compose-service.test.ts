import { composeService, createHealth, createMetrics, silentLogger } from '@lobbystats/service-kit';

/** A service whose steps write down what they do. */
function composed(faults: { part?: Error; stop?: Error } = {}) {
  const steps: string[] = [];
  const step = (name: string, fault?: Error) => async () => {
    steps.push(name);
    if (fault) throw fault;
  };
  const service = composeService({
    name: 'composed',
    config: { HOST: '127.0.0.1', PORT: 0, METRICS_HOST: '127.0.0.1', METRICS_PORT: 0, STOP_TIMEOUT_MS: 2000 },
    logger: silentLogger(),
    metrics: createMetrics('composed'),
    health: createHealth({ service: 'composed', details: {} }),
    routes: [],
    closers: [step('close store'), step('close bus')],
    startParts: async (started) => {
      steps.push('start relay');
      started(step('stop relay', faults.stop));
      if (faults.part) throw faults.part;
      steps.push('start consumer');
      started(step('stop consumer'));
    },
  });
  return { service, steps };
}

describe('a composed service', () => {
  it('starts its parts in order, listens, and stops them in the reverse order, once', async () => {
    const { service, steps } = composed();
    await service.start();
    expect((await fetch(`${service.url()}/healthz`)).status).toBe(200);
    await Promise.all([service.stop(), service.stop()]);
    expect(steps).toEqual(['start relay', 'start consumer', 'stop consumer', 'stop relay', 'close bus', 'close store']);
    await expect(fetch(service.url())).rejects.toThrow();
  });

  it('stops what has started when a later part fails, and says why it failed', async () => {
    const { service, steps } = composed({ part: new Error('no consumer'), stop: new Error('no end') });
    await expect(service.start()).rejects.toThrow('no consumer');
    expect(steps).toEqual(['start relay', 'stop relay', 'close bus', 'close store']);
    await service.stop();
    expect(steps).toHaveLength(4);
  });

  it('stops all the same when one part can’t, and says which', async () => {
    const { service, steps } = composed({ stop: new Error('no end') });
    await service.start();
    await expect(service.stop()).rejects.toThrow('no end');
    expect(steps.slice(-2)).toEqual(['close bus', 'close store']);
  });

  it('that is stopped while it starts ends with nothing running', async () => {
    const { service, steps } = composed();
    const starting = service.start();
    await service.stop();
    await starting;
    expect(steps.at(-1)).toBe('close store');
    await expect(fetch(service.url())).rejects.toThrow();
  });
});
