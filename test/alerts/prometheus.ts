import { z } from 'zod';

const alertsAnswer = z.object({
  data: z.object({
    alerts: z.array(z.object({ labels: z.looseObject({ alertname: z.string() }), state: z.string() })),
  }),
});
const valueAnswer = z.object({
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

/** What a Prometheus knows, by its HTTP API: https://prometheus.io/docs/prometheus/latest/querying/api/ */
export class Prometheus {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** The names of the alerts that fire now. */
  async firing(): Promise<Set<string>> {
    const { alerts } = alertsAnswer.parse(await this.#get('alerts')).data;
    return new Set(alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname));
  }

  /** The first value of an expression now. @throws Error when it has none */
  async value(expression: string): Promise<number> {
    const { result } = valueAnswer.parse(await this.#get(`query?query=${encodeURIComponent(expression)}`)).data;
    const [first] = result;
    if (first === undefined) throw new Error(`${expression} has no value`);
    return Number(first.value[1]);
  }

  async #get(path: string): Promise<unknown> {
    const answer = await fetch(new URL(`api/v1/${path}`, this.#url));
    return answer.json();
  }
}
