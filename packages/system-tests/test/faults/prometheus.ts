import { z } from 'zod';

const alertsResponse = z.object({
  data: z.object({
    alerts: z.array(z.object({ labels: z.looseObject({ alertname: z.string() }), state: z.string() })),
  }),
});
const rulesResponse = z.object({
  data: z.object({
    groups: z.array(z.object({ rules: z.array(z.object({ name: z.string(), lastError: z.string().optional() })) })),
  }),
});
const valueResponse = z.object({
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

/** Client of the Prometheus HTTP API: https://prometheus.io/docs/prometheus/latest/querying/api/ */
export class Prometheus {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Names of the firing alerts. */
  async firing(): Promise<Set<string>> {
    const { alerts } = alertsResponse.parse(await this.#get('alerts')).data;
    return new Set(alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname));
  }

  /** Rules that Prometheus can't evaluate, with its errors: they never fire. */
  async brokenRules(): Promise<string[]> {
    const { groups } = rulesResponse.parse(await this.#get('rules')).data;
    return groups
      .flatMap(({ rules }) => rules)
      .flatMap(({ name, lastError = '' }) => (lastError === '' ? [] : [`${name}: ${lastError}`]));
  }

  /** The current first value of an expression. @throws Error when there is none */
  async value(expression: string): Promise<number> {
    const { result } = valueResponse.parse(await this.#get(`query?query=${encodeURIComponent(expression)}`)).data;
    const [first] = result;
    if (first === undefined) throw new Error(`${expression} has no value`);
    return Number(first.value[1]);
  }

  async #get(path: string): Promise<unknown> {
    const answer = await fetch(new URL(`api/v1/${path}`, this.#url));
    return answer.json();
  }
}
