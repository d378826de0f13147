import { freshSessions } from '../../drills/faults/fresh-sessions.ts';
import { repeatUntilMended, setNetworkFault, type AlertFault } from '../alert-fault.ts';

export const authDown: AlertFault = {
  name: 'the auth service is down',
  raises: ['SessionChecksFailing'],
  start: async (stage, mending) => {
    const { stack } = stage;
    const sessions = await freshSessions(stack);
    const [, { username }] = stack.users;
    await setNetworkFault(stage, mending, { path: '/api/auth', kind: 'status', status: 503 });
    let requestCount = 0;
    repeatUntilMended(mending, 0.5, async () => {
      requestCount += 1;
      await sessions[requestCount % sessions.length]?.getReputation(username);
    });
  },
};
