/** Limit of the bytes of bodies in flight, since prefetch bounds only their number. A parsed body takes about ten times its bytes. */
export const MAX_IN_FLIGHT_BYTES = 8 * 1024 * 1024;
