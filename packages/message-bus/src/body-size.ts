/** 8 MiB. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

export function isOversized(body: string): boolean {
  return body.length > MAX_BODY_BYTES || (body.length * 3 > MAX_BODY_BYTES && Buffer.byteLength(body) > MAX_BODY_BYTES);
}
