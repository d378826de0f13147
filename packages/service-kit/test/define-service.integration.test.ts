import { z } from 'zod';
import {
  baseSettings,
  createLogger,
  defineService,
  readConfig,
  silentLogger,
  type Env,
  type OverridesOf,
} from '@lobbystats/service-kit';

const settings = z.object(baseSettings(0));

interface Faults {
  open?: Error;
  start?: Error;
  stop?: Error;
  compose?: Error;
}

/** A service whose steps are recorded. */
function defineRecorded(faults: Faults = {}) {
  const steps: string[] = [];
  const step = (name: string, fault?: Error) => async () => {
    steps.push(name);
    if (fault) throw fault;
  };
  const part = (name: string) => ({ check: step(`check ${name}`), close: step(`close ${name}`) });
  const service = defineService({
    name: 'composed',
    readConfig: (env: Env) => readConfig(settings, env),
    parts: {
      store: () => part('store'),
      limit: () => 3,
      bus: async () => {
        if (faults.open) throw faults.open;
        return Promise.resolve(part('bus'));
      },
    },
    compose: ({ limit, stopping }) => {
      if (faults.compose) throw faults.compose;
      stopping.addEventListener('abort', () => steps.push('stopping'));
      return {
        components: [
          () => {
            steps.push('start tasks');
            return { stop: step('stop tasks', faults.stop) };
          },
          async () => {
            await step('start consumer', faults.start)();
            return { stop: step('stop consumer') };
          },
        ],
        details: () => ({ limit }),
        members: { limit },
      };
    },
  });
  const create = (overrides: OverridesOf<typeof service> = {}) =>
    service.create(service.readConfig({ PORT: '0', METRICS_PORT: '0' }), {
      stopTimeoutMs: 2000,
      logger: silentLogger(),
      ...overrides,
    });
  return { service, create, steps };
}

describe('defineService', () => {
  it('starts components in order, listens, and stops them once in reverse order', async () => {
    const { create, steps } = defineRecorded();
    const service = await create();
    await service.start();
    expect((await fetch(`${service.url()}/healthz`)).status).toBe(200);
    await Promise.all([service.stop(), service.stop()]);
    expect(steps).toEqual([
      'start tasks',
      'start consumer',
      'stopping',
      'stop consumer',
      'stop tasks',
      'close bus',
      'close store',
    ]);
    await expect(fetch(service.url())).rejects.toThrow();
  });

  it('reports network, details and the parts that have a check', async () => {
    const { create } = defineRecorded();
    const service = await create({ limit: 5 });
    await service.start();
    const report = await (await fetch(`${service.url()}/readyz`)).json();
    await service.stop();
    expect(report).toEqual({
      service: 'composed',
      status: 'ready',
      network: { origin: 'simulated', simulated: true },
      limit: 5,
      dependencies: { store: { status: 'up' }, bus: { status: 'up' } },
    });
    expect(service.limit).toBe(5);
  });

  it('uses overridden parts, clock and logger, and leaves the parts open', async () => {
    const { create, steps } = defineRecorded();
    const lines: string[] = [];
    const logger = createLogger({ service: 'x', level: 'info', format: 'json', write: (line) => lines.push(line) });
    const given = { check: () => Promise.resolve(), close: () => Promise.reject(new Error('not ours')) };
    const service = await create({ store: given, logger });
    await service.start();
    await service.stop();
    expect(steps.filter((step) => step.startsWith('close'))).toEqual(['close bus']);
    expect(lines.join('')).toContain('composed is listening');
  });

  it('closes the parts that were opened when a later one or the composition fails', async () => {
    const opening = defineRecorded({ open: new Error('no bus') });
    await expect(opening.create()).rejects.toThrow('no bus');
    expect(opening.steps).toEqual(['close store']);
    const composing = defineRecorded({ compose: new Error('no site') });
    await expect(composing.create()).rejects.toThrow('no site');
    expect(composing.steps).toEqual(['close bus', 'close store']);
  });

  it('a failed start stops the components that had started and rejects with the cause', async () => {
    const { create, steps } = defineRecorded({ start: new Error('no consumer'), stop: new Error('no end') });
    const service = await create();
    await expect(service.start()).rejects.toThrow('no consumer');
    const stopped = ['start tasks', 'start consumer', 'stopping', 'stop tasks', 'close bus', 'close store'];
    expect(steps).toEqual(stopped);
    await service.stop();
    expect(steps.filter((step) => step.startsWith('close'))).toHaveLength(2);
  });

  it('stop continues after a component fails to stop, and rejects with its error', async () => {
    const { create, steps } = defineRecorded({ stop: new Error('no end') });
    const service = await create();
    await service.start();
    await expect(service.stop()).rejects.toThrow('no end');
    expect(steps.slice(-2)).toEqual(['close bus', 'close store']);
  });

  it('a stop during the start leaves nothing running', async () => {
    const { create, steps } = defineRecorded();
    const service = await create();
    const starting = service.start();
    await service.stop();
    await starting;
    expect(steps.at(-1)).toBe('close store');
    await expect(fetch(service.url())).rejects.toThrow();
  });

  it('withParts closes the parts after the work, also after a failure', async () => {
    const { service, steps } = defineRecorded();
    const config = service.readConfig({});
    const limit = await service.withParts(config, { limit: 7 }, async (context) => Promise.resolve(context.limit));
    expect([limit, ...steps]).toEqual([7, 'close bus', 'close store']);
    const failing = service.withParts(config, {}, ({ stopping }) => {
      stopping.addEventListener('abort', () => steps.push('aborted'));
      return Promise.reject(new Error('no slot'));
    });
    await expect(failing).rejects.toThrow('no slot');
    expect(steps.slice(2)).toEqual(['aborted', 'close bus', 'close store']);
  });
});
