import type { Env } from '../config/read-config.ts';
import { readVersion } from '../process/release.ts';
import { readTracingConfig } from './tracing-settings.ts';
import { setTracing } from '../context/work-context.ts';
import type { Tracing } from './tracing.ts';

interface TracingOptions {
  /** Called with an error when exporting begins to fail, and with undefined when it works again. */
  onChange: (fault: Error | undefined) => void;
}

/** Loads OpenTelemetry only if the environment names a collector; otherwise returns undefined. @throws ConfigError */
export async function startTracing(env: Env, { onChange }: TracingOptions): Promise<Tracing | undefined> {
  const config = readTracingConfig(env);
  if (config === undefined) return undefined;
  const { openOtelTracing } = await import('./otel-tracing.ts');
  const tracing = openOtelTracing({ ...config, version: readVersion(), onChange });
  setTracing(tracing);
  return {
    begin: (start) => tracing.begin(start),
    stop: () => {
      setTracing(undefined);
      return tracing.stop();
    },
  };
}
