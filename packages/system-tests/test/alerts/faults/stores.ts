import { operations } from '@lobbystats/contracts';
import { waitUntil, whilePaused } from '../../drills/faults/break-service.ts';
import { listUsernames } from '../../drills/faults/list-usernames.ts';
import {
  repeatUntilMended,
  requestUntilMended,
  stopService,
  type AlertFault,
  type AlertStage,
} from '../alert-fault.ts';
import { rateUntilMended } from './bus.ts';
import { factResender } from './fact-resender.ts';

const SLOW_MS = 5000;
const BUCKET = 'snapshots';

export const mongoDown: AlertFault = {
  name: 'MongoDB is down while users rate and facts are published',
  raises: ['MongodbUnreachable', 'CollectorFaults', 'UserWritesFailing', 'GatewayErrors', 'MessagesRetried'],
  start: async (stage, mending) => {
    const names = await listUsernames(stage.stack, 20);
    const send = await factResender(stage, mending, 'user-api');
    await rateUntilMended(stage, mending);
    await stopService(stage, mending, 'mongodb');
    requestUntilMended(stage, mending, {
      ...{ perSecond: 5, connections: 10 },
      path: (index) => operations.getProfile.path.replace(':username', names[index % names.length] ?? ''),
    });
    repeatUntilMended(mending, 1, () => send(5));
  },
};

export const influxDown: AlertFault = {
  name: 'InfluxDB is down',
  raises: ['InfluxdbUnreachable'],
  start: (stage, mending) => stopService(stage, mending, 'influxdb'),
};

export const influxSlow: AlertFault = {
  name: 'InfluxDB responds only briefly every 5 s',
  raises: ['GatewaySlow'],
  start: async (stage, mending) => {
    const { games } = (await stage.stack.request(operations.listGames.path)).body as { games: { titleId: string }[] };
    requestUntilMended(stage, mending, {
      ...{ perSecond: 4, connections: 40 },
      path: (index) => {
        const { titleId = '' } = games[index % games.length] ?? {};
        return `${operations.getTitleOnlineHistory.path.replace(':titleId', titleId)}?hours=${1 + (index % 700)}`;
      },
    });
    repeatUntilMended(mending, SLOW_MS / 1000 + 0.5, () =>
      whilePaused(stage.stack, 'influxdb', () => waitUntil(Date.now() + SLOW_MS)),
    );
  },
};

/** Reads use the database mapping, which still works; writes use the bucket name. */
export const bucketRenamed: AlertFault = {
  name: 'the snapshots bucket is renamed',
  raises: ['InfluxdbWritesFailing'],
  start: async (stage, mending) => {
    const bucketID = await bucketOf(stage, BUCKET);
    const mapping = { org: 'lobbystats', bucketID, database: BUCKET, retention_policy: 'autogen', default: true };
    const { id } = (await influx(stage, 'POST', 'dbrps', mapping)) as { id: string };
    mending.defer(async () => {
      await influx(stage, 'DELETE', `dbrps/${id}?org=lobbystats`);
    });
    mending.defer(async () => {
      await influx(stage, 'PATCH', `buckets/${bucketID}`, { name: BUCKET });
    });
    await influx(stage, 'PATCH', `buckets/${bucketID}`, { name: `${BUCKET}-renamed` });
  },
};

async function bucketOf(stage: AlertStage, name: string): Promise<string> {
  const { buckets } = (await influx(stage, 'GET', `buckets?org=lobbystats&name=${name}`)) as {
    buckets: { id: string }[];
  };
  const [bucket] = buckets;
  if (bucket === undefined) throw new Error(`InfluxDB has no bucket ${name}`);
  return bucket.id;
}

/** Sends a request to the InfluxDB API with the admin token. */
async function influx(
  { stack: { settings } }: AlertStage,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const url = `http://127.0.0.1:${settings['INFLUXDB_PORT']}/api/v2/${path}`;
  const headers = { Authorization: `Token ${settings['INFLUXDB_ADMIN_TOKEN']}`, 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`InfluxDB answered ${method} ${path} with ${answer.status}: ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
}
