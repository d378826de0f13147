import type { Express } from 'express';

/** Any origin may read every answer, errors included; never with credentials. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Last-Modified, X-Request-Id, Retry-After, Link',
  // Lets pages with Cross-Origin-Embedder-Policy use answers.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Response headers that only scripts of other origins need. */
export const CORS_HEADER_NAMES = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'] as const;

const METHODS = 'GET, HEAD, POST, PATCH, OPTIONS';

const preflightHeaders = {
  'Access-Control-Allow-Headers': 'Content-Type, X-Session-Key, If-None-Match, Last-Event-ID',
  'Access-Control-Max-Age': '86400',
};

/** Answers preflights for any path; the request itself gets the 404. */
export function mountPreflight(app: Express): void {
  app.options(/.*/, (req, res) => {
    const isDelete = req.headers['access-control-request-method'] === 'DELETE';
    const methods = isDelete ? `${METHODS}, DELETE` : METHODS;
    res.writeHead(204, { 'Access-Control-Allow-Methods': methods, ...preflightHeaders }).end();
  });
}
