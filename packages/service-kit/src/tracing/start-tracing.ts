import type { Env } from '../config/read-config.ts';
import { readVersion } from '../process/release.ts';
import { readTracingConfig } from './tracing-settings.ts';
import { setTracing, type Tracing } from './tracing.ts';

export interface TracingOptions {
  /** The process: what OTEL_SERVICE_NAME renames. Services beside it in one process keep their names. */
  name: string;
  /** Told of an error when spans can't be sent, and of none when they can again. */
  onChange: (fault: Error | undefined) => void;
}

/**
 * Records the spans of this process from here on, if the environment names who takes them; else nothing of OpenTelemetry is so
 * much as loaded, and this gives undefined.
 *
 * @throws ConfigError that names every fault
 */
export async function startTracing(env: Env, { name, onChange }: TracingOptions): Promise<Tracing | undefined> {
  const config = readTracingConfig(env);
  if (config === undefined) return undefined;
  const { openOtelTracing } = await import('./otel-tracing.ts');
  const { serviceName = name } = config;
  const nameOf = (service: string) => (service === name ? serviceName : service);
  const tracing = openOtelTracing({ ...config, nameOf, version: readVersion(), onChange });
  setTracing(tracing);
  return {
    begin: (start) => tracing.begin(start),
    stop: () => {
      setTracing(undefined);
      return tracing.stop();
    },
  };
}
