/** Loopback, private, link-local and shared addresses; `URL` has brought other spellings of IPv4 into this one. */
const PRIVATE_IPV4 =
  /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/;
const PRIVATE_NAME = /^\[|^[^.]+$|(?:^|\.)(?:localhost|local|internal|lan|home|arpa)\.?$/;

/**
 * Whether clients of the API may load a URL from a page: it names nobody's password, and no host that only some network
 * inside knows, except the host of the page.
 */
export function isPublicUrl({ username, password, hostname }: URL, { hostname: ownHost }: URL): boolean {
  if (username !== '' || password !== '') return false;
  return hostname === ownHost || !(PRIVATE_IPV4.test(hostname) || PRIVATE_NAME.test(hostname));
}
