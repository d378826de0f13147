import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allOperations, operations, sampleRequest, type Operation, type SampleValues } from '@lobbystats/contracts';
import type { Session } from './user-content.ts';

/** Status and body by operation ID. */
export type Responses = Record<string, { readonly status: number; readonly body: unknown }>;

/** Operations whose responses name the release, or its operations. */
const OWN_TO_RELEASE = new Set<string>([operations.getApiVersion.id, operations.getApiIndex.id]);

const OWN_TO_SYSTEM: ReadonlySet<string> = new Set(['pushKey', 'imageUrl']);

/** Every public read, the user's own data included. */
export const readOperations = allOperations.filter(
  ({ audience, method, id }) => audience === 'public' && method === 'GET' && !OWN_TO_RELEASE.has(id),
);

/** The reads that a release already had, by its OpenAPI document. */
export function operationsOf(tree: string): Operation[] {
  const { paths } = JSON.parse(readFileSync(join(tree, 'docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return readOperations.filter(({ path }) => paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.['get'] !== undefined);
}

/** Requests each operation with sample values. */
export async function readResponses(
  url: string,
  asked: readonly Operation[],
  values: SampleValues,
  { sessionKey }: Session,
): Promise<Responses> {
  const entries = await Promise.all(
    asked.map(async (operation) => {
      const { id, session } = operation;
      const response = await fetch(url + sampleRequest(operation, values).target, {
        headers: { connection: 'close', ...(session === 'required' && { 'X-Session-Key': sessionKey }) },
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return [
        id,
        { status: response.status, body: isJson ? withoutOwnValues(text) : withoutReadingTimes(text) },
      ] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** Each system makes a key of its own for push messages, and pictures of achievements are those of the release's file. */
function withoutOwnValues(json: string): unknown {
  return JSON.parse(json, (name, value: unknown) =>
    typeof value === 'string' && OWN_TO_SYSTEM.has(name) ? name : value,
  );
}

/** The time at which an event of a calendar was read first. */
function withoutReadingTimes(calendar: string): string {
  return calendar.replaceAll(/^(DTSTAMP|SEQUENCE|LAST-MODIFIED):.*$/gm, '$1');
}
