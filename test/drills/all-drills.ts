import { bodies } from './abuse/bodies.ts';
import { cacheKeys } from './abuse/cache-keys.ts';
import { fluxCallOut } from './abuse/flux-call-out.ts';
import { feedBomb } from './abuse/feed-bomb.ts';
import { fuzzing } from './abuse/fuzzing.ts';
import { gameNames } from './abuse/game-names.ts';
import { hiddenAchievements } from './abuse/hidden-achievements.ts';
import { hostilePages } from './abuse/hostile-pages.ts';
import { longTexts } from './abuse/long-texts.ts';
import { massAssignment } from './abuse/mass-assignment.ts';
import { noPacket } from './abuse/no-packet.ts';
import { operators } from './abuse/operators.ts';
import { prototypes } from './abuse/prototypes.ts';
import { parallelRatings, selfRating } from './abuse/ratings.ts';
import { scripts } from './abuse/scripts.ts';
import { sessionKeys } from './abuse/session-keys.ts';
import { slowCallers } from './abuse/slow-callers.ts';
import { slowReaders } from './abuse/slow-readers.ts';
import { smuggling } from './abuse/smuggling.ts';
import { streamPositions } from './abuse/stream-positions.ts';
import { unkeyedHeaders } from './abuse/unkeyed-headers.ts';
import { viewers } from './abuse/viewers.ts';
import type { Drill } from './drill.ts';
import { authAway } from './faults/auth-away.ts';
import { brokerAway } from './faults/broker-away.ts';
import { brokerRestarted } from './faults/broker-restarted.ts';
import { changedPages } from './faults/changed-pages.ts';
import { clock } from './faults/clock.ts';
import { collectorKilled } from './faults/collector-killed.ts';
import { fullDisk } from './faults/full-disk.ts';
import { influxSlow } from './faults/influx-slow.ts';
import { mongoAway } from './faults/mongo-away.ts';
import { mongoKilled } from './faults/mongo-killed.ts';
import { overload } from './faults/overload.ts';
import { poison } from './faults/poison.ts';
import { redelivery } from './faults/redelivery.ts';
import { toldToStop } from './faults/told-to-stop.ts';

/**
 * All drills, by their numbers.
 *
 * @param brokerAwayMinutes how long drill 3 lets the broker be away; undefined: it is left out
 */
export function allDrills(brokerAwayMinutes: number | undefined): readonly Drill[] {
  return [
    ...[
      collectorKilled,
      brokerRestarted,
      brokerAway(brokerAwayMinutes),
      mongoAway,
      mongoKilled,
      influxSlow,
      redelivery,
    ],
    ...[poison, clock, changedPages, authAway, fullDisk, toldToStop, overload],
    ...[operators, bodies, slowCallers, smuggling, gameNames, longTexts, prototypes, noPacket, scripts, sessionKeys],
    ...[viewers, unkeyedHeaders, cacheKeys, parallelRatings, selfRating, massAssignment, hiddenAchievements, fuzzing],
    ...[hostilePages, feedBomb],
    ...[slowReaders, fluxCallOut, streamPositions],
  ];
}
