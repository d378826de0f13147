import { EveryoneEvaluation, type EveryoneEvaluationOptions } from './everyone-evaluation.ts';

/** Progress is told of each time so many people are evaluated. */
const PEOPLE_PER_REPORT = 5000;
/** Rests last so many times what the step before took: between its commits messages get theirs through. */
const REST_FACTOR = 4;
/** The wait after a first failure, in milliseconds; it doubles with each one that follows. */
const FIRST_RETRY_MS = 250;
/** How often the rest is doubled while others are faster. */
const MOST_DOUBLINGS = 5;
/** The longest wait, in milliseconds. */
const LONGEST_WAIT_MS = 5000;

/** How far an evaluation of everyone has come, counted in this process since it began. */
export interface EvaluationProgress {
  /** `overtaken`: another set of definitions was begun with since, and this one is left. */
  readonly state: 'running' | 'done' | 'overtaken';
  readonly people: number;
  readonly unlocks: number;
}

export interface ReEvaluationOptions extends EveryoneEvaluationOptions {
  /** Told from time to time, and when it ends; not at all where nothing was left to be done. */
  onProgress: (progress: EvaluationProgress) => void;
  /** Told how many unlocks a commit has brought: facts wait in the outbox then. */
  onUnlocks: (unlocks: number) => void;
  /** Told when a step failed; it is tried again. */
  onFault: (error: unknown) => void;
}

/** An evaluation of everyone that goes on by itself. */
export interface ReEvaluation {
  /** Resolves when everyone is evaluated, or when it was stopped or left. */
  readonly ended: Promise<void>;
  /** Resolves when the step in hand is done; the next start goes on with what is left. */
  stop(): Promise<void>;
}

/**
 * Evaluates everyone once where the definitions are others than those by which it was last done. Resolves as soon as the
 * definitions are stored: from then on people may unlock them. The rest goes on behind, a few people at a time, and takes a
 * fifth of the time, less where others commit: messages come first.
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

/** Resolves after so many milliseconds, or once it is stopped: messages and requests come in between. */
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
