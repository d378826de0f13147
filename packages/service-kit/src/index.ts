export { busHooks, createServiceRelay, openServiceBus } from './process/service-bus.ts';
export { createHttpClient, retryAfterMs } from './client/create-http-client.ts';
export {
  OperatorError,
  processTerminal,
  describeError,
  runCommand,
  UsageError,
  type Terminal,
} from './command/run-command.ts';
export { describeFileError, fileExists } from './file-errors.ts';
export { baseSettings, logSettings } from './config/base-settings.ts';
export { ConfigError, isSet, readConfig, SECRETS, sourceOf, type Env } from './config/read-config.ts';
export { Secret, setting } from './config/setting.ts';
export { requestIdOf, context, type WorkContext } from './context/work-context.ts';
export { keyedHash, tokenHash } from './crypto/hashes.ts';
export { createHealth, type Health } from './health/create-health.ts';
export { FullDisk } from './health/full-disk.ts';
export { headerSessionKey, invalidSession, isSessionKey } from './http/authenticate.ts';
export { CLIENT_HEADER, clientNetwork, trustedProxiesSetting } from './http/client-address.ts';
export {
  createHttpService,
  securityHeaders,
  type HttpService,
  type HttpServiceOptions,
} from './http/create-http-service.ts';
export { asStartError, StartError, urlOf } from './http/listen.ts';
export { mountOperations, mountPath, routeTimeout, type RequestHandler } from './http/mount-routes.ts';
export { parseBody, readBody } from './http/request-body.ts';
export { decodedParams, parseParams, parseQuery, readQuery } from './http/request-input.ts';
export { type Caller, route, type Route, type Sessions } from './http/route.ts';
export {
  HttpError,
  notFound,
  sendError,
  type ErrorPage,
  entityTag,
  JSON_TYPE,
  sendJson,
  suppressRequestLog,
} from './http/send-response.ts';
export { type ErrorPages } from './http/create-server.ts';
export { excludeFromLoad, type FastPath } from './http/track-requests.ts';
export { BodyBytes } from './http/body-bytes.ts';
export { createLogger, silentLogger, type Logger, type LogLevel } from './logs/create-logger.ts';
export { escapeControls } from './logs/pretty-format.ts';
export { redactText } from './logs/redact.ts';
export { createMetrics, type Metrics } from './metrics/create-metrics.ts';
export { serveMetrics, startMetrics } from './metrics/serve-metrics.ts';
export { type ComposedService } from './process/compose-service.ts';
export { defineService, STOP_TIMEOUT_MS, type OverridesOf, type Shell } from './process/define-service.ts';
export { lifecycle, type Service, type Stop } from './process/lifecycle.ts';
export { runProcess } from './process/process-main.ts';
export { readVersion } from './process/release.ts';
export { beginCall } from './tracing/spans.ts';
export { tracingSettings } from './tracing/tracing-settings.ts';
