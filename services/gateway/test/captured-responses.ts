import { allOperations, type Operation, type ServiceName } from '@lobbystats/contracts';
import { readExamples } from '@lobbystats/contracts/openapi';
import { route, type Route } from '@lobbystats/service-kit';
import { NEWEST } from './network.ts';

const examples = readExamples();

/** Routes of a stub upstream: `own`, and for its other public operations the response captured from a real system. */
export function withCapturedResponses(upstream: ServiceName, own: Route[]): Route[] {
  const ownIds = new Set(own.map(({ operation }) => operation.id));
  const others = allOperations.filter(
    (operation) => operation.upstream === upstream && operation.audience === 'public' && !ownIds.has(operation.id),
  );
  return [...own, ...others.map(capturedRoute)];
}

function capturedRoute(operation: Operation): Route {
  const example = examples.get(operation.id);
  if (example === undefined) throw new Error(`${operation.id} has no captured response: npm run examples:capture`);
  return route(operation, async () => ({ body: example.answer, lastModified: NEWEST }));
}
