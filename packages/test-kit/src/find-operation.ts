import { allOperations, pathsOf, type Operation } from '@lobbystats/contracts';

const routes = allOperations
  .flatMap((operation) => {
    const { method, alias = method } = operation;
    const methods = new Set<string>([method, alias]);
    return pathsOf(operation).map((path) => ({ operation, methods, segments: path.split('/') }));
  })
  .toSorted((one, other) => parametersOf(one.segments) - parametersOf(other.segments));

/** @param url absolute, or a path with query. @returns undefined for an unknown path or method */
export function findOperation(method: string, url: string): Operation | undefined {
  const verb = method.toUpperCase() === 'HEAD' ? 'GET' : method.toUpperCase();
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/, '').split(/[?#]/, 1);
  const pathSegments = path.split('/');
  return routes.find(
    ({ methods, segments }) =>
      methods.has(verb) &&
      segments.length === pathSegments.length &&
      segments.every((segment, index) =>
        isParameter(segment) ? pathSegments[index] !== '' : segment === pathSegments[index],
      ),
  )?.operation;
}

function parametersOf(segments: readonly string[]): number {
  return segments.filter(isParameter).length;
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}
