import { busHooks, createLogger, createMetrics } from '@lobbystats/service-kit';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';

function example() {
  const lines: Record<string, unknown>[] = [];
  const metrics = createMetrics('example');
  const write = (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>);
  const logger = createLogger({ service: 'example', level: 'info', format: 'json', write });
  return { lines, metrics, hooks: busHooks(logger, metrics), logger };
}

describe('busHooks', () => {
  it('runs a handler in the context of its message and rejects if the handler fails', async () => {
    const { hooks, lines, logger } = example();
    const message = { id: 'message-1', type: 'slot.observed', traceparent };
    const batch = { queue: 'series-api', messages: [message] } as const;
    await hooks.run(message, async () => void logger.info('handling'), batch);
    expect(lines[0]).toMatchObject({ messageId: 'message-1', traceId: '0af7651916cd43dd8448eb211c80319c' });
    await expect(hooks.run(message, () => Promise.reject(new Error('no')), batch)).rejects.toThrow('no');
  });

  it('counts message events, and logs retried messages and dead letters, but no postponed ones', async () => {
    const { hooks, lines, metrics } = example();
    hooks.event('published', { type: 'slot.observed' });
    hooks.event('handled', { queue: 'series-api', type: 'slot.observed', count: 3 });
    hooks.event('retried', { queue: 'series-api', type: 'slot.observed', reason: 'disk full' });
    hooks.event('postponed', { queue: 'collector', type: 'board.requested', reason: 'busy' });
    hooks.event('dead', { queue: 'series-api', reason: 'not JSON' });
    const samples = await metrics.registry.metrics();
    expect(samples).toContain('{event="handled",queue="series-api",type="slot.observed",service="example"} 3');
    expect(samples).toContain('{event="dead",queue="series-api",type="",service="example"} 1');
    expect(samples).toContain('{event="postponed",queue="collector",type="board.requested",service="example"} 1');
    expect(samples).not.toContain('disk full');
    expect(lines).toEqual([
      expect.objectContaining({ level: 'warn', message: 'message retried', reason: 'disk full' }),
      expect.objectContaining({ level: 'error', message: 'message dead', reason: 'not JSON' }),
    ]);
  });
});
