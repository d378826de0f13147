/** An error response of the API, with its message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly operation: string;
  readonly status: number;
  /** Identifies the request in the logs. */
  readonly requestId: string | undefined;
  /** Value of Retry-After, if present; of a date, the seconds until then. */
  readonly retryAfterSeconds: number | undefined;

  constructor(operation: string, message: string, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    super(message);
    this.operation = operation;
    this.status = status;
    this.requestId = headers.get('X-Request-Id') ?? undefined;
    this.retryAfterSeconds = secondsOf(headers.get('Retry-After'));
  }
}

/** No response of the API: the connection failed, or an intermediary responded. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly operation: string;

  constructor(operation: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.operation = operation;
  }
}

function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const untilMs = Date.parse(retryAfter) - Date.now();
  return Number.isNaN(untilMs) ? undefined : Math.max(0, Math.ceil(untilMs / 1000));
}
