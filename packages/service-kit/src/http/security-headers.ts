/**
 * Headers of every answer that say what a browser may make of it: nothing but what its type says, no page, no frame, and
 * nothing that loads something else. A page brings a policy of its own, which takes this one's place.
 */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const;
