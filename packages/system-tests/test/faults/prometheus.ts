import { z } from 'zod';

const alertsResponse = z.object({
  data: z.object({
    alerts: z.array(z.object({ labels: z.looseObject({ alertname: z.string() }), state: z.string() })),
  }),
});

/** Names of the firing alerts: https://prometheus.io/docs/prometheus/latest/querying/api/#alerts */
export async function firingAlerts(prometheusUrl: string): Promise<Set<string>> {
  const { data } = alertsResponse.parse(await (await fetch(`${prometheusUrl}/api/v1/alerts`)).json());
  return new Set(data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname));
}
