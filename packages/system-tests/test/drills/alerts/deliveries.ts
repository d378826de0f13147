import { operations } from '@lobbystats/contracts';
import { getJson } from '@lobbystats/test-kit';
import type { AlertDrill } from '../drill.ts';
import { freshSessions } from '../faults/fresh-sessions.ts';
import { networkFaults } from '../inject.ts';
import type { StackStage } from '../stages/stack-stage.ts';

const { addChannel, removeChannel, testChannel } = operations;
const CHANNELS_OF_EACH = 10;
const OVERDUE_SECONDS = 300;

export const discordDown: AlertDrill = {
  number: 57,
  name: 'Discord answers 503 to the webhooks of several users',
  on: 'alerts',
  alerts: ['DeliveriesFailing'],
  fault: async (stage, ending) => {
    const names = Array.from({ length: CHANNELS_OF_EACH }, (_, index) => `server ${index}`);
    const ask = await addChannels(stage, ending, names);
    await networkFaults({ path: '/discord', kind: 'status', status: 503 })(stage, ending);
    await Promise.all(names.map((name) => ask('POST', testChannel.path.replace(':channel', encodeURIComponent(name)))));
  },
};

export const channelsLocked: AlertDrill = {
  number: 58,
  name: 'MongoDB refuses changes of channels while one waits',
  on: 'alerts',
  alerts: ['DeliveriesLate'],
  fault: async (stage, ending) => {
    await addChannels(stage, ending, ['waiting']);
    ending.defer(() => onUsers(stage, `db.runCommand({ collMod: "channel", validator: {} })`));
    const dueAt = Math.floor(Date.now() / 1000) - OVERDUE_SECONDS;
    await onUsers(
      stage,
      `db.runCommand({ collMod: "channel", validator: { $expr: false } });
      db.runCommand({
        update: "channel", bypassDocumentValidation: true,
        updates: [{ q: { name: "waiting" }, u: { $set: { nextAt: ${dueAt} } }, multi: true }]
      })`,
    );
  },
};

/** Adds Discord webhooks of these names to all demo accounts until the fault ends. Returns requests for all accounts. */
async function addChannels(stage: StackStage, ending: AsyncDisposableStack, names: readonly string[]) {
  const sessions = await freshSessions(stage);
  const ask = async (method: string, path: string, body?: object) => {
    for (const { sessionKey } of sessions) {
      const headers = { 'X-Session-Key': sessionKey, ...(body && { 'Content-Type': 'application/json' }) };
      const { status } = await getJson(stage.url + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (status !== 200) throw new Error(`${method} ${path} answered ${status}`);
    }
  };
  for (const name of names) {
    const url = 'https://discord.com/api/webhooks/100000000000000001/a-token-of-the-alerts';
    ending.defer(() => ask('DELETE', removeChannel.path.replace(':channel', encodeURIComponent(name))));
    await ask('POST', addChannel.path, { kind: 'discord', name, url });
  }
  return ask;
}

/** Runs commands of mongosh on the database of user-api. */
async function onUsers({ compose }: StackStage, commands: string): Promise<void> {
  const shell = 'mongosh --quiet --norc -u admin -p "$(</run/secrets/MONGODB_ADMIN_PASSWORD)"';
  const script = `db = db.getSiblingDB("users"); ${commands}`;
  await compose('exec', '-T', 'mongodb', 'bash', '-c', `${shell} --eval '${script}'`);
}
