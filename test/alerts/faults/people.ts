import { freshSessions } from '../../drills/faults/fresh-sessions.ts';
import { againAndAgain, misbehave, type AlertFault } from '../alert-fault.ts';

export const authAway: AlertFault = {
  name: 'the auth service is down',
  raises: ['SessionsUntold'],
  begin: async (stage, mending) => {
    const { stack } = stage;
    const sessions = await freshSessions(stack);
    const [, { username }] = stack.people;
    await misbehave(stage, mending, { path: '/api/auth', kind: 'status', status: 503 });
    let turn = 0;
    againAndAgain(mending, 0.5, async () => {
      turn += 1;
      await sessions[turn % sessions.length]?.reputationOf(username);
    });
  },
};
