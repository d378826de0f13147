import type { AlertFault } from './alert-fault.ts';
import { brokerDown, diskLow, memoryAlarm, poison } from './faults/bus.ts';
import { changedPages, backoffRequested, manyTitles, networkDown } from './faults/network.ts';
import { authDown } from './faults/auth.ts';
import { channelsLocked, discordDown } from './faults/deliveries.ts';
import {
  crashLoop,
  missingInstance,
  nginxStopped,
  upstreamDown,
  starvedGateway,
  uncachedSearches,
} from './faults/services.ts';
import { bucketRenamed, influxDown, influxSlow, mongoDown } from './faults/stores.ts';

/**
 * All faults, in sequential phases. The rows of a phase run in parallel, the faults of a row in sequence:
 * faults of the network take several slots and do not disturb faults of single services.
 */
export const allFaults: readonly (readonly (readonly AlertFault[])[])[] = [
  [
    [changedPages, manyTitles, backoffRequested, networkDown],
    [poison, diskLow, upstreamDown, crashLoop, uncachedSearches, starvedGateway, missingInstance, nginxStopped],
  ],
  [[brokerDown, memoryAlarm, mongoDown, influxDown, influxSlow, bucketRenamed, authDown, discordDown, channelsLocked]],
];

/** The faults that raise these alerts; all if none is named. @throws Error for an alert without a fault */
export function faultsFor(alerts: readonly string[]): typeof allFaults {
  const proved = allFaults.flat(2).flatMap(({ raises }) => raises);
  const unknownAlerts = alerts.filter((alert) => !proved.includes(alert));
  if (unknownAlerts.length > 0) throw new Error(`There is no alert ${unknownAlerts.join(', ')}`);
  if (alerts.length === 0) return allFaults;
  const isAsked = ({ raises }: AlertFault) => raises.some((alert) => alerts.includes(alert));
  return allFaults.map((phase) => phase.map((row) => row.filter(isAsked)));
}
