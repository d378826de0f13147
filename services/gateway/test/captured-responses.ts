import { allOperations, type EpochSeconds, type Operation, type ServiceName } from '@lobbystats/contracts';
import { readExamples } from '@lobbystats/contracts/openapi';
import { route, type Route } from '@lobbystats/service-kit';

const examples = readExamples();

/**
 * Routes of a stub upstream: of several routes of an operation the first, and for public operations without a route the response that
 * was captured from a real system.
 */
export function stubRoutes(upstream: ServiceName, own: readonly Route[], lastModified: EpochSeconds): Route[] {
  const byId = new Map(own.toReversed().map((one) => [one.operation.id, one]));
  const others = allOperations.filter(
    (operation) => operation.upstream === upstream && operation.audience === 'public' && !byId.has(operation.id),
  );
  return [...byId.values(), ...others.map((operation) => capturedRoute(operation, lastModified))];
}

function capturedRoute(operation: Operation, lastModified: EpochSeconds): Route {
  const example = examples.get(operation.id);
  if (example === undefined) throw new Error(`${operation.id} has no captured response: npm run examples:capture`);
  return route(operation, async () => ({ body: example.answer, lastModified }));
}
