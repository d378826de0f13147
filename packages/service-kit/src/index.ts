export { baseSettings, logSettings } from './config/base-settings.ts';
export { ConfigError, readConfig, type Env } from './config/read-config.ts';
export { Secret } from './config/secret.ts';
export { setting, type Setting } from './config/setting.ts';
export {
  OperatorError,
  processTerminal,
  readOptions,
  reasonOf,
  runCommand,
  UsageError,
  type Terminal,
} from './command/run-command.ts';
export { keyedHash } from './crypto/keyed-hash.ts';
export { context, type WorkContext } from './context/work-context.ts';
export {
  createLogger,
  silentLogger,
  type LogFormat,
  type Logger,
  type LoggerOptions,
  type LogLevel,
} from './logs/create-logger.ts';
export { redactText } from './logs/redact.ts';
export { createMetrics, type Metrics } from './metrics/create-metrics.ts';
export { startMetrics, type StartMetricsOptions } from './metrics/start-metrics.ts';
export { serveMetrics, type MetricsServer, type MetricsServerOptions } from './metrics/serve-metrics.ts';
export {
  createHealth,
  type DependencyReport,
  type Health,
  type HealthChange,
  type HealthOptions,
  type HealthReport,
} from './health/create-health.ts';
export { entityTag } from './http/entity-tag.ts';
export { createHttpService, type HttpService, type HttpServiceOptions } from './http/create-http-service.ts';
export { asStartError, StartError } from './http/listen.ts';
export { parseParams, parseQuery, readQuery } from './http/request-input.ts';
export { readBody, readBytes } from './http/read-body.ts';
export { parseBody } from './http/parse-body.ts';
export { requestIdOf } from './http/request-id.ts';
export { type Front } from './http/watch-traffic.ts';
export { securityHeaders } from './http/security-headers.ts';
export { trustedProxiesSetting } from './http/client-address.ts';
export { mountOperations, mountPath, type Answer } from './http/mount-path.ts';
export { route, type AnyOperation, type Input, type Route } from './http/route.ts';
export { invalidSession, isSessionKey, type Caller, type Sessions } from './http/sessions.ts';
export { headerSessionKey } from './http/identify-caller.ts';
export { inTime } from './http/in-time.ts';
export { promptly } from './http/promptly.ts';
export { HttpProblem, methodNotAllowed, notFound, sendError, statusOf } from './http/send-error.ts';
export { labelOperation } from './http/response-notes.ts';
export { JSON_TYPE, sendJson } from './http/send-json.ts';
export { staysOpen } from './load/load.ts';
export { toldElsewhere } from './load/told-elsewhere.ts';
export { createHttpClient, type HttpClientOptions } from './client/create-http-client.ts';
export { beginCall, type Call, type CallSpan } from './tracing/call-span.ts';
export { startTracing, type TracingOptions } from './tracing/start-tracing.ts';
export type { Tracing } from './tracing/tracing.ts';
export { busHooks, type BusHooks } from './bus/bus-hooks.ts';
export { watchOutbox } from './bus/watch-outbox.ts';
export { runProcess, type ProcessOptions, type RunningProcess } from './process/process-main.ts';
export { composeService, type ComposedService } from './process/compose-service.ts';
export { lifecycle, type Stop } from './process/lifecycle.ts';
export { openParts } from './process/open-parts.ts';
export { serially, type InTurn } from './process/serially.ts';
export { readVersion } from './process/release.ts';
export type { Service } from './process/service.ts';
export { stopInOrder } from './process/stop-in-order.ts';
