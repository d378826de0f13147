import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { Express } from 'express';

/** How long a request may take to come in, in milliseconds; a little more passes until the next check finds it. */
const RECEIVE_TIMEOUT_MS = 5000;
const CHECK_INTERVAL_MS = 500;
/** Longer than proxies in front keep theirs (60 s), so that it is they who close. */
const KEEP_ALIVE_MS = 65_000;
const HEADER_BYTES_MAX = 16 * 1024;

/** A server for an app, with limits on what callers may cost. It handles no request yet. */
export function createAppServer(app: Express): Server {
  return createServer({
    ...presetPrototypes(app),
    headersTimeout: RECEIVE_TIMEOUT_MS,
    requestTimeout: RECEIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    insecureHTTPParser: false,
    // Node refuses a request without Host with an empty body; admission does it with `{error}`.
    requireHostHeader: false,
  });
}

/**
 * Express gives each request and response its own prototypes, which costs most of a request's time. It does nothing for objects
 * that have these prototypes from birth.
 */
function presetPrototypes(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
