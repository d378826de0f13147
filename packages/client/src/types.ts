import type { Operations } from './generated/operations.ts';

/** The name of an operation. */
export type OperationId = keyof Operations;

/** What an operation takes: parameters of its path and query, and what is posted as `body`. */
export type InputOf<Id extends OperationId> = Operations[Id]['input'];

/** What an operation answers an input with: rows as text where `format` asks for CSV or NDJSON. */
export type BodyOf<Id extends OperationId, Input = InputOf<Id>> = Input extends { readonly format: 'csv' | 'ndjson' }
  ? string
  : Operations[Id]['answer'];

/** How one request differs from the others of a client. */
export interface CallOptions {
  /** Ends the request; what it throws is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** In the place of the client's. */
  readonly sessionKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer with all that came along. */
export interface Answered<Body> {
  readonly body: Body;
  readonly status: number;
  readonly headers: Headers;
  /** Where the next page is, whole; absent on the last. */
  readonly next: string | undefined;
}

/** What a call is given: nothing need be said where all is optional. */
type Arguments<Id extends OperationId, Input extends InputOf<Id>> =
  object extends InputOf<Id> ? [input?: Input, options?: CallOptions] : [input: Input, options?: CallOptions];

/** A method for each operation, by its name, which gives the body of the answer. */
export type Methods = {
  readonly [Id in OperationId]: <const Input extends InputOf<Id>>(
    ...given: Arguments<Id, Input>
  ) => Promise<BodyOf<Id, Input>>;
};
