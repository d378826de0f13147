import { z } from 'zod';
import { readConfig, type Env } from '../config/read-config.ts';
import { setting } from '../config/setting.ts';

const RATIO = /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;

const tracingSettings = z.object({
  /** OTLP/HTTP endpoint of a collector, without `/v1/traces`. Unset: tracing is off. */
  OTEL_EXPORTER_OTLP_ENDPOINT: setting.url({ protocols: ['http', 'https'] }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: setting
    .secret()
    .refine((headers) => parseHeaders(headers.reveal()) !== undefined, 'must be NAME=VALUE,… (values percent-encoded)')
    .optional(),
  OTEL_SERVICE_NAME: setting.text().optional(),
  OTEL_RESOURCE_ATTRIBUTES: setting
    .text('')
    .refine((pairs) => parseHeaders(pairs) !== undefined, 'must be NAME=VALUE,… (values percent-encoded)'),
  OTEL_TRACES_SAMPLER_ARG: setting
    .text('1')
    .refine((ratio) => RATIO.test(ratio), 'must be a number from 0 to 1')
    .transform(Number),
});

export interface TracingConfig {
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string | undefined;
  /** Attributes of every span, such as the deployment's name. */
  resource: Readonly<Record<string, string>>;
  ratio: number;
}

/** @returns undefined if tracing is off. @throws ConfigError */
export function readTracingConfig(env: Env): TracingConfig | undefined {
  const settings = readConfig(tracingSettings, env);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = settings;
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    headers: parseHeaders(headers?.reveal() ?? '') ?? {},
    serviceName: settings.OTEL_SERVICE_NAME,
    resource: parseHeaders(settings.OTEL_RESOURCE_ATTRIBUTES) ?? {},
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
  };
}

/** https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables */
function parseHeaders(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const value = decoded(pair.slice(at + 1).trim());
    if (!HEADER_NAME.test(name) || value === undefined || !HEADER_VALUE.test(value)) return undefined;
    headers[name] = value;
  }
  return headers;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
