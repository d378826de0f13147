import { freshUntil, pathsOf as pathsOfOperation, type Operation } from '../index.ts';
import type { OperationObject, PathItem } from './document-types.ts';
import type { OperationExample, Examples } from './examples.ts';
import { parametersOf, pathTemplate, requestBodyOf } from './parameters.ts';
import { errorResponsesOf, successResponsesOf } from './responses.ts';

export function pathsOf(operations: readonly Operation[], examples: Examples): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const operation of operations) {
    const example = examples.get(operation.id);
    for (const { path, suffix } of pathsWithSuffixes(operation)) {
      const template = pathTemplate(path);
      const base = operationObject(operation, path, example);
      const { method, alias } = operation;
      const operationId = operation.id + suffix;
      paths[template] = {
        ...paths[template],
        [method.toLowerCase()]: { ...base, operationId },
        ...(alias && { [alias.toLowerCase()]: { ...base, operationId: operationId + aliasSuffix(alias) } }),
      };
    }
  }
  return paths;
}

function pathsWithSuffixes(operation: Operation): { path: string; suffix: string }[] {
  const suffixes = ['', 'ByName', 'ByNameAlias'];
  return pathsOfOperation(operation).map((path, index) => ({ path, suffix: suffixes[index] ?? '' }));
}

function aliasSuffix(alias: string): string {
  return `By${alias.charAt(0)}${alias.slice(1).toLowerCase()}`;
}

function operationObject(
  operation: Operation,
  path: string,
  example: OperationExample | undefined,
): Omit<OperationObject, 'operationId'> {
  const parameters = parametersOf(operation, path, example);
  return {
    summary: operation.summary,
    description: descriptionOf(operation, path),
    tags: [operation.group],
    ...securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(operation, example),
    responses: { ...successResponsesOf(operation, example), ...errorResponsesOf(operation, path) },
  };
}

/** Only operations that use a session mention it. */
function securityOf({ session }: Operation): Pick<OperationObject, 'security'> {
  if (session === 'none') return {};
  if (session === 'required') return { security: [{ sessionKey: [] }] };
  return { security: [{}, { sessionKey: [] }, { sessionKeyInQuery: [] }] };
}

function descriptionOf(operation: Operation, path: string): string {
  const { summary, description, gamePath, alias, session, rows } = operation;
  const until = session === 'required' || operation.method === 'POST' ? 'slot' : freshUntil(operation.tags);
  const inTwoForms =
    path !== operation.path
      ? `The same bytes as \`${pathTemplate(operation.path)}\`, asked for by the game’s name.`
      : gamePath && `The same bytes are at \`${pathTemplate(gamePath)}\`, by the game’s name.`;
  return [
    description ?? `${summary}.`,
    inTwoForms,
    rows !== undefined && rowsSentence(rows),
    alias && `\`${alias}\` does the same as \`${operation.method}\`.`,
    session === 'optional' && 'An invalid session is ignored: it never fails a read.',
    session === 'required' &&
      'The session comes before everything else: without a key it is 400, with one that is not valid 401.',
    until !== 'slot' && 'It may change at any time: a copy is revalidated before each use.',
    until === 'write' && 'A writer reads their own writes at once.',
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join('\n\n');
}

function rowsSentence(rows: string): string {
  const which = rows === '' ? 'The rows' : `The rows of \`${rows}\``;
  return `${which} can be had as CSV or NDJSON with \`format\`, as many as of JSON: \`Link\` leads to more. In CSV an apostrophe precedes what a spreadsheet would run as a formula.`;
}
