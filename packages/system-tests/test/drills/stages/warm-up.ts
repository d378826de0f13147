import { Agent, request } from 'node:http';
import { operations, type OperationResponse } from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';

const ROUNDS = 250;
const PATHS = [
  operations.getOnlineUsers,
  operations.getOnlineSummary,
  operations.listGames,
  operations.listChanges,
  operations.listEvents,
  operations.listAchievements,
  operations.getAchievementLeaderboard,
].map(({ path }) => path);

/** Waits for the end of the backfill, and sends enough requests to reach the working memory size: later growth is caused by the drill. */
export async function warmUp(url: string): Promise<void> {
  const isFilled = async (): Promise<void> => {
    const { body } = await getJson<OperationResponse<typeof operations.getStatus>>(url + operations.getStatus.path);
    if (body.isBackfilling) throw new Error('the backfill has not ended');
  };
  await eventually(isFilled, { timeoutMs: 400_000, everyMs: 1000 });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const targets = Array.from({ length: ROUNDS }, (_, round) => [
    ...PATHS,
    `${operations.searchByTime.path}?time=1:${String(round % 60).padStart(2, '0')}&tolerance=500`,
  ]).flat();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let target = targets.pop(); target !== undefined; target = targets.pop()) await read(url + target, agent);
    }),
  );
  agent.destroy();
}

function read(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      response.resume().once('end', resolve).once('error', reject);
    })
      .once('error', reject)
      .end();
  });
}
