import {
  allOperations,
  sampleRequest,
  type Operation,
  type SampleValues,
  type ServiceName,
} from '@lobbystats/contracts';
import { z } from 'zod';

/** A query parameter with bounds, or with a choice of values. */
export interface BoundedParameter {
  readonly name: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
}

/** The operations of a service that read without a session. */
export function readsOf(upstream: ServiceName): readonly Operation[] {
  return allOperations.filter((one) => one.upstream === upstream && one.method === 'GET' && one.session !== 'required');
}

/** The sample of each operation, and one more for each value that a parameter may have. */
export function targetsOf(operations: readonly Operation[], values: SampleValues): string[] {
  return operations.flatMap((operation) => {
    const { target } = sampleRequest(operation, values);
    const choices = boundedParameters(operation).flatMap(({ name, enum: texts = [] }) =>
      texts.map((text) => withQuery(target, { [name]: text })),
    );
    return [target, ...choices];
  });
}

/** The query parameters of an operation that are integers or one of some values, except formats and time. */
export function boundedParameters({ query }: Pick<Operation, 'query'>): BoundedParameter[] {
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).flatMap(([name, schema]): BoundedParameter[] => {
    if (typeof schema === 'boolean' || name === 'format' || name === 'time') return [];
    const { type, minimum, maximum, enum: choices } = schema;
    if (type === 'integer' && minimum !== undefined && maximum !== undefined) return [{ name, minimum, maximum }];
    return choices === undefined ? [] : [{ name, enum: choices.map(String) }];
  });
}

/** A target with other or further values in its query. */
export function withQuery(target: string, values: Readonly<Record<string, string>>): string {
  const [path = '', query] = target.split('?', 2);
  const parameters = new URLSearchParams(query);
  for (const [name, text] of Object.entries(values)) parameters.set(name, text);
  return `${path}?${parameters.toString()}`;
}
