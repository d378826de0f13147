import { z } from 'zod';
import { readConfig, type Env } from '../config/read-config.ts';
import { setting } from '../config/setting.ts';

const RATIO = /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;

export const tracingSettings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: setting
    .url({ protocols: ['http', 'https'] })
    .optional()
    .meta({
      description:
        'Traces: URL of an OpenTelemetry collector that accepts OTLP over HTTP (at /v1/traces), as containers reach it. Unset: no traces are recorded, at no cost.',
    }),
  OTEL_EXPORTER_OTLP_HEADERS: setting
    .secret()
    .refine((headers) => parseHeaders(headers.reveal()) !== undefined, 'must be NAME=VALUE,… (values percent-encoded)')
    .optional()
    .meta({
      description: 'Headers of each batch, such as a token: NAME=VALUE,… with percent-encoded values. A secret.',
    }),
  OTEL_RESOURCE_ATTRIBUTES: setting
    .text('')
    .refine((pairs) => parseHeaders(pairs) !== undefined, 'must be NAME=VALUE,… (values percent-encoded)')
    .meta({
      description:
        'Attributes of every span, such as deployment.environment.name=production: NAME=VALUE,… with percent-encoded values.',
    }),
  OTEL_TRACES_SAMPLER_ARG: setting
    .text('1')
    .refine((ratio) => RATIO.test(ratio), 'must be a number from 0 to 1')
    .transform(Number)
    .meta({ description: 'Share of traces that are recorded, from 0 to 1.', default: 1, pattern: RATIO.source }),
});

export interface TracingConfig {
  endpoint: string;
  headers: Readonly<Record<string, string>>;
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
