import { EveryoneEvaluation, type EveryoneEvaluationOptions } from './everyone-evaluation.ts';

const PEOPLE_PER_REPORT = 5000;
/** Pause after a step, as a multiple of its duration, so that messages come first. */
const REST_FACTOR = 4;
const FIRST_RETRY_MS = 250;
/** Doublings of the pause while others commit. */
const MOST_DOUBLINGS = 5;
const LONGEST_WAIT_MS = 5000;

export interface EvaluationProgress {
  readonly state: 'running' | 'done' | 'overtaken';
  readonly people: number;
  readonly unlocks: number;
}

export interface ReEvaluationOptions extends EveryoneEvaluationOptions {
  onProgress: (progress: EvaluationProgress) => void;
  onUnlocks: (unlocks: number) => void;
  onFault: (error: unknown) => void;
}

export interface ReEvaluation {
  /** Resolves when all users are evaluated, or it was stopped or superseded. */
  readonly ended: Promise<void>;
  /** Resolves after the current step; the next start resumes. */
  stop(): Promise<void>;
}

/**
 * Evaluates all users once after the definitions changed. Resolves once the definitions are stored; the rest runs in the
 * background, in small steps that yield to messages.
 *
 * @throws AppError `unavailable` when the store can't be had
 */
export async function startReEvaluation(options: ReEvaluationOptions): Promise<ReEvaluation> {
  const everyone = new EveryoneEvaluation(options);
  await everyone.begin();
  const stopping = new AbortController();
  const ended = run(everyone, options, stopping.signal);
  return {
    ended,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

async function run(
  everyone: EveryoneEvaluation,
  { clock, onProgress, onUnlocks, onFault }: ReEvaluationOptions,
  stopping: AbortSignal,
): Promise<void> {
  let [people, unlocks, reports, failures, stales] = [0, 0, 0, 0, 0];
  while (!stopping.aborted) {
    const begunAt = clock();
    try {
      const step = await everyone.step();
      people += step.people;
      unlocks += step.unlocks;
      if (step.unlocks > 0) onUnlocks(step.unlocks);
      if (step.state === 'done' || step.state === 'overtaken') {
        if (people > 0 || step.state === 'overtaken') onProgress({ state: step.state, people, unlocks });
        return;
      }
      if (people >= (reports + 1) * PEOPLE_PER_REPORT) {
        reports = Math.floor(people / PEOPLE_PER_REPORT);
        onProgress({ state: 'running', people, unlocks });
      }
      failures = 0;
      stales = step.state === 'stale' ? stales + 1 : 0;
    } catch (error) {
      failures += 1;
      onFault(error);
    }
    const restMs = Math.max(0, clock() - begunAt) * REST_FACTOR * 2 ** Math.min(stales, MOST_DOUBLINGS);
    const retryMs = failures === 0 ? 0 : FIRST_RETRY_MS * 2 ** (failures - 1);
    await pause(Math.min(Math.max(restMs, retryMs), LONGEST_WAIT_MS), stopping);
  }
}

function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopping.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stopping.addEventListener('abort', end);
    if (stopping.aborted) end();
  });
}
