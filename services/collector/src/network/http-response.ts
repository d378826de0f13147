export interface HttpResponse {
  status: number;
  header: (name: string) => string | undefined;
  body: Buffer;
  /** Epoch milliseconds. */
  receivedMs: number;
}
