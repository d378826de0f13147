import { z } from 'zod';
import { readConfig, type Env } from '../config/read-config.ts';
import { setting } from '../config/setting.ts';

const RATIO = /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/;

export const tracingSettings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: setting
    .url({ protocols: ['http', 'https'] })
    .optional()
    .meta({
      description:
        'URL of an OpenTelemetry collector that accepts OTLP over HTTP (at /v1/traces), as containers reach it; unset, no traces are recorded. OTEL_EXPORTER_OTLP_HEADERS, OTEL_RESOURCE_ATTRIBUTES and OTEL_TRACES_SAMPLER_ARG (the share of traces that are recorded) have the format of https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables',
    }),
});

const samplerSettings = tracingSettings.extend({
  OTEL_TRACES_SAMPLER_ARG: setting
    .text('1')
    .refine((ratio) => RATIO.test(ratio), 'must be a number from 0 to 1')
    .transform(Number),
});

export interface TracingConfig {
  endpoint: string;
  ratio: number;
}

/** @returns undefined if tracing is off. @throws ConfigError */
export function readTracingConfig(env: Env): TracingConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = readConfig(samplerSettings, env);
  return endpoint === undefined ? undefined : { endpoint, ratio };
}
