import { integer, offset, oneOf, operation } from '@lobbystats/contracts';
import {
  createHealth,
  createHttpService,
  createLogger,
  createMetrics,
  notFound,
  route,
  type HttpService,
  type HttpServiceOptions,
  type Route,
} from '@lobbystats/service-kit';
import { cleanUp } from '@lobbystats/test-kit';
import { z } from 'zod';

const base = { method: 'GET', upstream: 'series-api', audience: 'public', session: 'none', tags: [] } as const;

export const getScores = operation({
  ...base,
  id: 'getScores',
  summary: 'Scores of a title',
  path: '/titles/:titleId/scores',
  params: z.object({ titleId: z.string().regex(/^[0-9a-f]{8}$/) }),
  query: z.object({
    days: integer({ min: 1, max: 365 }).default(30),
    q: z.string({ error: 'must be given once' }).default(''),
    period: oneOf(['today', '7d']).default('today'),
    offset,
  }),
  response: z.strictObject({ titleId: z.string(), days: z.int(), q: z.string(), period: z.string(), offset: z.int() }),
});

const getTotal = operation({
  ...base,
  id: 'getTotal',
  summary: 'All scores added up',
  path: '/total',
  params: z.object({}),
  query: z.object({}),
  response: z.strictObject({ total: z.int() }),
});

export const unknownTitle = '00000000';

/** Echoes its parameters. */
const scores = route(getScores, async ({ params, query }) => {
  if (params.titleId === unknownTitle) throw notFound('title');
  return { body: { ...params, ...query }, lastModified: 1_770_000_000 };
});

export function total(handler: () => Promise<number>): Route {
  return route(getTotal, async () => ({ body: { total: await handler() } }));
}

export interface Example {
  http: HttpService;
  url: string;
  port: number;
  /** Parsed log entries. */
  lines: Record<string, unknown>[];
  /** The metrics in the Prometheus text format. */
  samples: () => Promise<string>;
}

/** Starts a service with {@link scores} on a free port; it stops after the test. */
export async function startExample(changes: Partial<HttpServiceOptions> = {}): Promise<Example> {
  const example = makeExample(changes);
  return { ...example, ...(await example.http.start()) };
}

/** Creates the service without starting it. */
export function makeExample(changes: Partial<HttpServiceOptions> = {}): Omit<Example, 'url' | 'port'> {
  const lines: Record<string, unknown>[] = [];
  const metrics = createMetrics('example');
  const http = createHttpService({
    name: 'example',
    host: '127.0.0.1',
    port: 0,
    logger: createLogger({
      service: 'example',
      level: 'debug',
      format: 'json',
      write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
    }),
    metrics,
    health: createHealth({ service: 'example' }),
    routes: [scores],
    validateResponses: true,
    stopTimeoutMs: 2000,
    ...changes,
  });
  cleanUp(() => http.stop());
  return { http, lines, samples: () => metrics.registry.metrics() };
}
