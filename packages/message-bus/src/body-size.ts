/** The largest body that the bus takes, in bytes of UTF-8: 8 MiB. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Whether a body is larger than the bus takes. Most are so small that their length alone says no. */
export function isOversized(body: string): boolean {
  return body.length > MAX_BODY_BYTES || (body.length * 3 > MAX_BODY_BYTES && Buffer.byteLength(body) > MAX_BODY_BYTES);
}
