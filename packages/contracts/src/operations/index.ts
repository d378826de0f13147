import * as modules from './modules.ts';
import { nameResponse, operationGroups, type Operation } from './operation.ts';

type OperationsOf<Exports> = {
  readonly [Name in keyof Exports as Exports[Name] extends Operation ? Name : never]: Exports[Name];
};

/** Each operation by its ID, which is the name of its export. */
export const operations = Object.fromEntries(
  Object.entries(modules).filter(([, exported]) => isOperation(exported)),
) as unknown as OperationsOf<typeof modules>;

const groups = Object.keys(operationGroups);
const methods = ['GET', 'POST', 'DELETE'];

/** By group, path and method. */
export const allOperations: readonly Operation[] = Object.values<Operation>(operations).toSorted(
  (one, other) =>
    groups.indexOf(one.group) - groups.indexOf(other.group) ||
    Number(one.path > other.path) - Number(one.path < other.path) ||
    methods.indexOf(one.method) - methods.indexOf(other.method),
);

for (const operation of allOperations) nameResponse(operation);

function isOperation(exported: unknown): boolean {
  return typeof exported === 'object' && exported !== null && 'upstream' in exported && 'response' in exported;
}
