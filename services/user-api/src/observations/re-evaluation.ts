import { exponentialBackoff } from '@lobbystats/service-kit/concurrency';
import { AllUsersEvaluation, type AllUsersEvaluationOptions } from './all-users-evaluation.ts';

const USERS_PER_REPORT = 5000;
/** Pause after a step, as a multiple of its duration, so that messages have priority. */
const PAUSE_FACTOR = 4;
const FIRST_RETRY_MS = 250;
/** Doublings of the pause while other commits conflict. */
const MAX_DOUBLINGS = 5;
const MAX_PAUSE_MS = 5000;
const backoffMs = exponentialBackoff(FIRST_RETRY_MS, MAX_PAUSE_MS);

export interface EvaluationProgress {
  readonly state: 'running' | 'done' | 'overtaken';
  readonly users: number;
  readonly unlocks: number;
}

export interface ReEvaluationOptions extends AllUsersEvaluationOptions {
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
 * @throws AppError `unavailable` when the store is unavailable
 */
export async function startReEvaluation(options: ReEvaluationOptions): Promise<ReEvaluation> {
  const everyone = new AllUsersEvaluation(options);
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
  everyone: AllUsersEvaluation,
  { clock, onProgress, onUnlocks, onFault }: ReEvaluationOptions,
  stopping: AbortSignal,
): Promise<void> {
  let [users, unlocks, reports, failures, stales] = [0, 0, 0, 0, 0];
  while (!stopping.aborted) {
    const begunAt = clock();
    try {
      const step = await everyone.step();
      users += step.users;
      unlocks += step.unlocks;
      if (step.unlocks > 0) onUnlocks(step.unlocks);
      if (step.state === 'done' || step.state === 'overtaken') {
        if (users > 0 || step.state === 'overtaken') onProgress({ state: step.state, users, unlocks });
        return;
      }
      if (users >= (reports + 1) * USERS_PER_REPORT) {
        reports = Math.floor(users / USERS_PER_REPORT);
        onProgress({ state: 'running', users, unlocks });
      }
      failures = 0;
      stales = step.state === 'stale' ? stales + 1 : 0;
    } catch (error) {
      failures += 1;
      onFault(error);
    }
    const restMs = Math.max(0, clock() - begunAt) * PAUSE_FACTOR * 2 ** Math.min(stales, MAX_DOUBLINGS);
    const retryMs = failures === 0 ? 0 : backoffMs(failures);
    await pause(Math.min(Math.max(restMs, retryMs), MAX_PAUSE_MS), stopping);
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
