export interface HttpResponse {
  status: number;
  header: (name: string) => string | undefined;
  body: Buffer;
  /** Epoch milliseconds. */
  receivedMs: number;
  /** `Retry-After` of a response that refuses the request, or 0. */
  quietMs: number;
}
