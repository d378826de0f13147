import type { Metrics } from '@lobbystats/service-kit';

/** How a question has ended, `left` by who asked or `refused` its turn, and how long it was under way. */
export type CountQuestion = (outcome: 'answered' | 'failed' | 'left' | 'refused', ms?: number) => void;

/** What Prometheus is told of questions. */
export function questionMetrics(metrics: Metrics): CountQuestion {
  const questions = metrics.counter('questions_total', 'Questions to InfluxDB', ['outcome']);
  const seconds = metrics.counter('question_seconds_total', 'Seconds in which a question was under way');
  return (outcome, ms = 0) => {
    questions.inc({ outcome });
    seconds.inc(ms / 1000);
  };
}
