import { allOperations, pathsOf, type Operation } from '@lobbystats/contracts';

const places = allOperations
  .flatMap((operation) => {
    const { method, alias = method } = operation;
    const methods = new Set<string>([method, alias]);
    return pathsOf(operation).map((path) => ({ operation, methods, segments: path.split('/') }));
  })
  .toSorted((one, other) => parametersOf(one.segments) - parametersOf(other.segments));

/**
 * Undefined for unknown paths and methods.
 *
 * @param url whole, or a path with its query
 * @returns undefined where none has that path and method
 */
export function findOperation(method: string, url: string): Operation | undefined {
  const wanted = method.toUpperCase() === 'HEAD' ? 'GET' : method.toUpperCase();
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/, '').split(/[?#]/, 1);
  const given = path.split('/');
  return places.find(
    ({ methods, segments }) =>
      methods.has(wanted) &&
      segments.length === given.length &&
      segments.every((segment, index) => (isParameter(segment) ? given[index] !== '' : segment === given[index])),
  )?.operation;
}

function parametersOf(segments: readonly string[]): number {
  return segments.filter(isParameter).length;
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}
