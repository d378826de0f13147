import { operations } from '@lobbystats/contracts';
import type { AlertDrill } from '../drill.ts';
import { listUsernames } from '../faults/list-usernames.ts';
import { pauseFor, stopped } from '../inject.ts';
import type { StackStage } from '../stages/stack-stage.ts';
import { rateUntilEnded, repeatUntilEnded, requestUntilEnded } from '../until-ended.ts';
import { factResender } from './fact-resender.ts';

const SLOW_SECONDS = 5;
const BUCKET = 'snapshots';

export const mongoStopped: AlertDrill = {
  number: 53,
  name: 'MongoDB is down while users rate and facts are published',
  on: 'alerts',
  alerts: ['MongodbUnreachable', 'CollectorFaults', 'UserWritesFailing', 'GatewayErrors', 'MessagesRetried'],
  fault: async (stage, ending) => {
    const names = await listUsernames(stage, 20);
    const send = await factResender(stage, ending, 'user-api');
    await rateUntilEnded(stage, ending);
    await stopped('mongodb')(stage, ending);
    requestUntilEnded(stage, ending, {
      ...{ perSecond: 5, connections: 10 },
      path: (index) => operations.getProfile.path.replace(':username', names[index % names.length] ?? ''),
    });
    repeatUntilEnded(ending, 1, () => send(5));
  },
};

export const influxStopped: AlertDrill = {
  number: 54,
  name: 'InfluxDB is down',
  on: 'alerts',
  alerts: ['InfluxdbUnreachable'],
  fault: stopped('influxdb'),
};

export const influxStalls: AlertDrill = {
  number: 55,
  name: 'InfluxDB responds only briefly every 5 s',
  on: 'alerts',
  alerts: ['GatewaySlow'],
  fault: async (stage, ending) => {
    const { games } = (await stage.request(operations.listGames.path)).body as { games: { titleId: string }[] };
    requestUntilEnded(stage, ending, {
      ...{ perSecond: 4, connections: 40 },
      path: (index) => {
        const { titleId = '' } = games[index % games.length] ?? {};
        return `${operations.getTitleOnlineHistory.path.replace(':titleId', titleId)}?hours=${1 + (index % 700)}`;
      },
    });
    repeatUntilEnded(ending, SLOW_SECONDS + 0.5, () => pauseFor(stage, 'influxdb', SLOW_SECONDS));
  },
};

/** Reads use the database mapping, which still works; writes use the bucket name. */
export const bucketRenamed: AlertDrill = {
  number: 56,
  name: 'the snapshots bucket is renamed',
  on: 'alerts',
  alerts: ['InfluxdbWritesFailing'],
  fault: async (stage, ending) => {
    const bucketID = await bucketOf(stage, BUCKET);
    const mapping = { org: 'lobbystats', bucketID, database: BUCKET, retention_policy: 'autogen', default: true };
    const { id } = (await influx(stage, 'POST', 'dbrps', mapping)) as { id: string };
    ending.defer(async () => {
      await influx(stage, 'DELETE', `dbrps/${id}?org=lobbystats`);
    });
    ending.defer(async () => {
      await influx(stage, 'PATCH', `buckets/${bucketID}`, { name: BUCKET });
    });
    await influx(stage, 'PATCH', `buckets/${bucketID}`, { name: `${BUCKET}-renamed` });
  },
};

async function bucketOf(stage: StackStage, name: string): Promise<string> {
  const { buckets } = (await influx(stage, 'GET', `buckets?org=lobbystats&name=${name}`)) as {
    buckets: { id: string }[];
  };
  const [bucket] = buckets;
  if (bucket === undefined) throw new Error(`InfluxDB has no bucket ${name}`);
  return bucket.id;
}

/** Sends a request to the InfluxDB API with the admin token. */
async function influx({ settings }: StackStage, method: string, path: string, body?: object): Promise<unknown> {
  const url = `http://127.0.0.1:${settings['INFLUXDB_PORT']}/api/v2/${path}`;
  const headers = { Authorization: `Token ${settings['INFLUXDB_ADMIN_TOKEN']}`, 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`InfluxDB answered ${method} ${path} with ${answer.status}: ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
}
