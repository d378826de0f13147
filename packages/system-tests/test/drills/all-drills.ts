import { bodies } from './abuse/bodies.ts';
import { cacheKeys } from './abuse/cache-keys.ts';
import { outboundFlux } from './abuse/outbound-flux.ts';
import { feedBomb } from './abuse/feed-bomb.ts';
import { fuzzing } from './abuse/fuzzing.ts';
import { gameNames } from './abuse/game-names.ts';
import { hiddenAchievements } from './abuse/hidden-achievements.ts';
import { hostilePages } from './abuse/hostile-pages.ts';
import { longTexts } from './abuse/long-texts.ts';
import { massAssignment } from './abuse/mass-assignment.ts';
import { profileSsrf } from './abuse/profile-ssrf.ts';
import { operators } from './abuse/operators.ts';
import { prototypes } from './abuse/prototypes.ts';
import { parallelRatings, selfRating } from './abuse/ratings.ts';
import { scripts } from './abuse/scripts.ts';
import { sessionKeys } from './abuse/session-keys.ts';
import { slowClients } from './abuse/slow-clients.ts';
import { slowReaders } from './abuse/slow-readers.ts';
import { smuggling } from './abuse/smuggling.ts';
import { streamPositions } from './abuse/stream-positions.ts';
import { unkeyedHeaders } from './abuse/unkeyed-headers.ts';
import { viewers } from './abuse/viewers.ts';
import { sessionChecksFail } from './alerts/auth.ts';
import { brokerStopped, deadLettered, diskLow, memoryAlarm } from './alerts/bus.ts';
import { channelsLocked, discordDown } from './alerts/deliveries.ts';
import { backoffRequested, manyTitles, networkDown, pagesChanged } from './alerts/network.ts';
import {
  crashLoop,
  missingInstance,
  nginxStopped,
  starvedGateway,
  uncachedSearches,
  upstreamDown,
} from './alerts/services.ts';
import { bucketRenamed, influxStalls, influxStopped, mongoStopped } from './alerts/stores.ts';
import type { Drill } from './drill.ts';
import { authDown } from './faults/auth-down.ts';
import { brokerDown } from './faults/broker-down.ts';
import { brokerRestarted } from './faults/broker-restarted.ts';
import { changedPages } from './faults/changed-pages.ts';
import { clock } from './faults/clock.ts';
import { collectorKilled } from './faults/collector-killed.ts';
import { fullDisk } from './faults/full-disk.ts';
import { influxSlow } from './faults/influx-slow.ts';
import { mongoDown } from './faults/mongo-down.ts';
import { mongoKilled } from './faults/mongo-killed.ts';
import { overload } from './faults/overload.ts';
import { poison } from './faults/poison.ts';
import { redelivery } from './faults/redelivery.ts';
import { longLoad } from './soak/long-load.ts';
import { SOAK_DEFAULTS, type SoakOptions } from './soak/soak-options.ts';
import { gracefulShutdown } from './faults/graceful-shutdown.ts';

export interface DrillOptions {
  /** Outage of the broker in drill 3; undefined: the drill is skipped. */
  readonly brokerAwayMinutes?: number;
  readonly soak?: SoakOptions;
}

/** All drills, by their numbers. */
export function allDrills({ brokerAwayMinutes, soak = SOAK_DEFAULTS }: DrillOptions = {}): readonly Drill[] {
  return [
    ...[
      collectorKilled,
      brokerRestarted,
      brokerDown(brokerAwayMinutes),
      mongoDown,
      mongoKilled,
      influxSlow,
      redelivery,
    ],
    ...[poison, clock, changedPages, authDown, fullDisk, gracefulShutdown, overload],
    ...[operators, bodies, slowClients, smuggling, gameNames, longTexts, prototypes, profileSsrf, scripts, sessionKeys],
    ...[viewers, unkeyedHeaders, cacheKeys, parallelRatings, selfRating, massAssignment, hiddenAchievements, fuzzing],
    ...[hostilePages, feedBomb],
    ...[slowReaders, outboundFlux, streamPositions],
    ...[pagesChanged, manyTitles, backoffRequested, networkDown, deadLettered, diskLow, sessionChecksFail],
    ...[upstreamDown, crashLoop, uncachedSearches, starvedGateway, missingInstance, nginxStopped, brokerStopped],
    ...[memoryAlarm, mongoStopped, influxStopped, influxStalls, bucketRenamed, discordDown, channelsLocked],
    longLoad(soak),
  ];
}
