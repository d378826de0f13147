import type { MessageType } from '@lobbystats/contracts';
import type { BusHooks } from './bus-hooks.ts';

export async function withPublishSpan(
  hooks: BusHooks,
  type: MessageType,
  publish: (traceparent: () => string) => Promise<void>,
): Promise<void> {
  const span = hooks.publishing(type);
  if (span === undefined) return publish(() => hooks.traceparent());
  try {
    await publish(() => span.traceparent);
  } catch (error) {
    span.end(error);
    throw error;
  }
  span.end();
}
