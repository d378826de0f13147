import { operations } from '@lobbystats/contracts';
import { until, whilePaused } from '../../drills/faults/broken-server.ts';
import { knownNames } from '../../drills/faults/known-names.ts';
import { againAndAgain, ask, stop, type AlertFault, type AlertStage } from '../alert-fault.ts';
import { rate } from './bus.ts';
import { factsFor } from './facts-for.ts';

const SLOW_MS = 5000;
const BUCKET = 'snapshots';

export const mongoAway: AlertFault = {
  name: 'MongoDB is away, people rate, and facts keep coming',
  raises: ['MongodbUnreachable', 'CollectorFaults', 'PeopleWritesFailing', 'GatewayErrors', 'MessagesRetried'],
  begin: async (stage, mending) => {
    const names = await knownNames(stage.stack, 20);
    const send = await factsFor(stage, mending, 'user-api');
    await rate(stage, mending);
    await stop(stage, mending, 'mongodb');
    ask(stage, mending, {
      ...{ perSecond: 5, connections: 10 },
      path: (index) => operations.getProfile.path.replace(':username', names[index % names.length] ?? ''),
    });
    againAndAgain(mending, 1, () => send(5));
  },
};

export const influxAway: AlertFault = {
  name: 'InfluxDB is away',
  raises: ['InfluxdbUnreachable'],
  begin: (stage, mending) => stop(stage, mending, 'influxdb'),
};

export const influxSlow: AlertFault = {
  name: 'InfluxDB answers for a moment every 5 s',
  raises: ['GatewaySlow'],
  begin: async (stage, mending) => {
    const { games } = (await stage.stack.ask(operations.listGames.path)).body as { games: { titleId: string }[] };
    ask(stage, mending, {
      ...{ perSecond: 4, connections: 40 },
      path: (index) => {
        const { titleId = '' } = games[index % games.length] ?? {};
        return `${operations.getTitleOnlineHistory.path.replace(':titleId', titleId)}?hours=${1 + (index % 700)}`;
      },
    });
    againAndAgain(mending, SLOW_MS / 1000 + 0.5, () =>
      whilePaused(stage.stack, 'influxdb', () => until(Date.now() + SLOW_MS)),
    );
  },
};

/** Reads go by the database, which still leads to it; writes by the bucket's name. */
export const bucketRenamed: AlertFault = {
  name: 'the snapshots’ bucket has another name',
  raises: ['InfluxdbWritesFailing'],
  begin: async (stage, mending) => {
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

/** InfluxDB's API as its administrator asks it. */
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
