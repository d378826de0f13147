import type { AlertDrill } from '../drill.ts';
import { freshSessions } from '../faults/fresh-sessions.ts';
import { networkFaults } from '../inject.ts';
import { repeatUntilEnded } from '../until-ended.ts';

export const sessionChecksFail: AlertDrill = {
  number: 44,
  name: 'session checks fail',
  on: 'alerts',
  alerts: ['SessionChecksFailing'],
  fault: async (stage, ending) => {
    const sessions = await freshSessions(stage);
    const [, { username }] = stage.users;
    await networkFaults({ path: '/api/auth', kind: 'status', status: 503 })(stage, ending);
    let requestCount = 0;
    repeatUntilEnded(ending, 0.5, async () => {
      requestCount += 1;
      await sessions[requestCount % sessions.length]?.getReputation(username);
    });
  },
};
