import { composeService, createHealth, createMetrics, silentLogger } from '@lobbystats/service-kit';

/** A service whose steps are recorded. */
function createComposed(faults: { part?: Error; stop?: Error } = {}) {
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
    disposers: [step('close store'), step('close bus')],
    startComponents: async (started) => {
      steps.push('start relay');
      started(step('stop relay', faults.stop));
      if (faults.part) throw faults.part;
      steps.push('start consumer');
      started(step('stop consumer'));
    },
  });
  return { service, steps };
}

describe('composeService', () => {
  it('starts components in order, listens, and stops them once in reverse order', async () => {
    const { service, steps } = createComposed();
    await service.start();
    expect((await fetch(`${service.url()}/healthz`)).status).toBe(200);
    await Promise.all([service.stop(), service.stop()]);
    expect(steps).toEqual(['start relay', 'start consumer', 'stop consumer', 'stop relay', 'close bus', 'close store']);
    await expect(fetch(service.url())).rejects.toThrow();
  });

  it('a failed start stops the components that had started and rejects with the cause', async () => {
    const { service, steps } = createComposed({ part: new Error('no consumer'), stop: new Error('no end') });
    await expect(service.start()).rejects.toThrow('no consumer');
    expect(steps).toEqual(['start relay', 'stop relay', 'close bus', 'close store']);
    await service.stop();
    expect(steps).toHaveLength(4);
  });

  it('stop continues after a component fails to stop, and rejects with its error', async () => {
    const { service, steps } = createComposed({ stop: new Error('no end') });
    await service.start();
    await expect(service.stop()).rejects.toThrow('no end');
    expect(steps.slice(-2)).toEqual(['close bus', 'close store']);
  });

  it('a stop during the start leaves nothing running', async () => {
    const { service, steps } = createComposed();
    const starting = service.start();
    await service.stop();
    await starting;
    expect(steps.at(-1)).toBe('close store');
    await expect(fetch(service.url())).rejects.toThrow();
  });
});
