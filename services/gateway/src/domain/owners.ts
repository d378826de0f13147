import type { Operation, OperationAnswer } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';

/** What an owner answered, as it came. */
export interface OwnerAnswer {
  status: number;
  body: Buffer;
  /** Seconds since the epoch of the newest thing shown, if the owner says. */
  lastModified: string | undefined;
  /** Where the next page is, relative to the request. */
  link: string | undefined;
}

/** What an owner has to be told of an operation to answer it. */
export type OwnedOperation = Pick<Operation, 'id' | 'owner' | 'path'>;

/** Validated parameters; absent ones are undefined. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** The services behind the gateway, asked over HTTP. */
export interface Owners {
  /**
   * Asks the owner of an operation. `params` and `query` have been validated and defaulted; nothing else of the caller's
   * goes along but the request's ids.
   *
   * @throws AppError `unavailable` when the owner can't be reached, is too slow, or answers with a fault of its own
   */
  ask(operation: OwnedOperation, params: Values, query: Values): Promise<OwnerAnswer>;
  close(): Promise<void>;
}

/**
 * The body of a 200, read. The owner's own tests hold it to its schema.
 *
 * @throws AppError `unavailable` for any other answer: what the gateway asks for by itself can't be the caller's fault
 */
export function readAnswer<Op extends Operation>(_operation: Op, { status, body }: OwnerAnswer): OperationAnswer<Op> {
  if (status !== 200) throw new AppError('unavailable', 'The service is not available, try again soon');
  return JSON.parse(body.toString('utf8')) as OperationAnswer<Op>;
}
