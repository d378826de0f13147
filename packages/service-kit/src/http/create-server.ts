import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import express, { type ErrorRequestHandler, type Express, type Request } from 'express';
import type { Metrics } from '../metrics/create-metrics.ts';
import { HttpError, sendError } from './send-response.ts';
import { serverLimits } from './server-limits.ts';

const RECEIVE_TIMEOUT_MS = 5000;
const CHECK_INTERVAL_MS = 500;
const HEADER_BYTES_MAX = 16 * 1024;

export function createApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  // A path has one spelling, so that the proxy in front, which treats some in their own way, can't be given another.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  return app;
}

/** Returns how errors of a request are shown; undefined: as JSON. */
export type ErrorPages = (req: Request) => Parameters<typeof sendError>[2];

export function mountErrorHandlers(app: Express, errorPages: ErrorPages = () => undefined): void {
  app.use((req, res) => {
    sendError(res, new HttpError(404, 'Unknown route'), errorPages(req));
  });
  // Express recognises an error handler by its four parameters.
  const handleError: ErrorRequestHandler = (error: unknown, req, res, _next) => {
    sendError(res, error, errorPages(req));
  };
  app.use(handleError);
}

export function createAppServer(app: Express): Server {
  return createServer({
    ...presetPrototypes(app),
    headersTimeout: RECEIVE_TIMEOUT_MS,
    requestTimeout: RECEIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    keepAliveTimeout: serverLimits.keepAliveMs,
    maxHeaderSize: HEADER_BYTES_MAX,
    insecureHTTPParser: false,
    // Node would respond with an empty body; request-input.ts responds with `{error}`.
    requireHostHeader: false,
  });
}

/** Express sets the prototypes of each request and response, which is slow: here they are created with them. */
function presetPrototypes(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as typeof app.request;
  app.response = AppResponse.prototype as unknown as typeof app.response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

export interface ConnectionLimits {
  connectionsMax: number;
  /** Timeout of a response without a byte of progress. */
  stalledMs: number;
}

const DEFAULTS: ConnectionLimits = { connectionsMax: serverLimits.connectionsMax, stalledMs: 30_000 };

export function limitConnections(
  server: Server,
  listeners: readonly NetServer[],
  metrics: Metrics,
  { connectionsMax, stalledMs }: ConnectionLimits = DEFAULTS,
): void {
  const refused = metrics.counter('http_connections_rejected_total', 'Connections closed because there were too many');
  for (const listener of listeners) {
    listener.maxConnections = connectionsMax;
    listener.on('drop', () => {
      refused.inc();
    });
  }
  // Applies during requests; the keep-alive timeout applies between them.
  server.timeout = stalledMs;
  // Node silently drops headers above a count; the byte limit bounds them already.
  server.maxHeadersCount = 0;
}
