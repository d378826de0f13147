import type { Operations, routes } from './generated/operations.ts';

export type OperationId = keyof Operations;

/** Input of an operation: path and query parameters, and `body`. */
export type InputOf<Id extends OperationId> = Operations[Id]['input'];

/** Response body of an operation; text if `format` is CSV or NDJSON. */
export type BodyOf<Id extends OperationId, Input = InputOf<Id>> = Input extends { readonly format: 'csv' | 'ndjson' }
  ? string
  : Operations[Id]['response'];

type Routes = typeof routes;

/** Operations whose responses have pages. */
export type PagedOperationId = {
  [Id in OperationId]: Routes[Id] extends { readonly items: string } ? Id : never;
}[OperationId];

/** Element of the pages of an operation. */
export type ItemOf<Id extends PagedOperationId> = Routes[Id] extends { readonly items: infer Field }
  ? Field extends keyof Operations[Id]['response']
    ? Operations[Id]['response'][Field] extends readonly (infer Item)[]
      ? Item
      : never
    : never
  : never;

/** Overrides the options of the client for one call. */
export interface CallOptions {
  /** Aborts the request, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the session key of the client. */
  readonly sessionKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A response with status and headers. */
export interface ApiResponse<Body> {
  readonly body: Body;
  readonly status: number;
  readonly headers: Headers;
  /** Absolute URL of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** The input is optional if all of its fields are. */
type Arguments<Id extends OperationId, Input extends InputOf<Id>> =
  object extends InputOf<Id> ? [input?: Input, options?: CallOptions] : [input: Input, options?: CallOptions];

/** One method per operation, which resolves to the response body. */
export type Methods = {
  readonly [Id in OperationId]: <const Input extends InputOf<Id>>(
    ...args: Arguments<Id, Input>
  ) => Promise<BodyOf<Id, Input>>;
};
