import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Programs and schemas that check the Helm charts. `npm run tools:charts` installs them. */
export interface ChartTools {
  readonly helm: string;
  /** JSON schemas of Kubernetes' objects, a directory for each version: `v1.37.0-local-strict`. */
  readonly kubernetesSchemas: string;
  /** Custom resource definitions of operators, YAML files. */
  readonly resourceDefinitions: string;
}

export const CHART_TOOLS_DIRECTORY = join(import.meta.dirname, '../../../node_modules/.cache/chart-tools');

export const chartTools: ChartTools = {
  helm: join(CHART_TOOLS_DIRECTORY, 'helm'),
  kubernetesSchemas: join(CHART_TOOLS_DIRECTORY, 'python/kubernetes_validate/kubernetes-json-schema'),
  resourceDefinitions: join(CHART_TOOLS_DIRECTORY, 'definitions'),
};

/** Whether all tools of the charts are installed. */
export function hasChartTools(exists: (path: string) => boolean = existsSync): boolean {
  return Object.values(chartTools).every(exists);
}
