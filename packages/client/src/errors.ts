/** The API has refused a request: its own words, and what is known of the answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The operation that was asked for. */
  readonly operation: string;
  readonly status: number;
  /** By which the operators find the request. */
  readonly requestId: string | undefined;
  /** After how many seconds it can be tried again, where the API says. */
  readonly retryAfterSeconds: number | undefined;

  constructor(operation: string, message: string, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    super(message);
    this.operation = operation;
    this.status = status;
    this.requestId = headers.get('X-Request-Id') ?? undefined;
    const after = Number(headers.get('Retry-After') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(after) ? after : undefined;
  }
}

/** There was no answer of the API: no connection, or something between that answered in its place. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly operation: string;

  constructor(operation: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.operation = operation;
  }
}
