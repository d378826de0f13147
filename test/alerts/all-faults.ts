import type { AlertFault } from './alert-fault.ts';
import { brokerAway, diskLow, noMemory, poison } from './faults/bus.ts';
import { changedPages, leftAlone, networkAway } from './faults/network.ts';
import { authAway } from './faults/people.ts';
import { killedAgain, ownerAway, starvedGateway, unkeptSearches } from './faults/services.ts';
import { bucketRenamed, influxAway, influxSlow, mongoAway } from './faults/stores.ts';

/**
 * All faults, in phases that follow each other. The rows of a phase go on side by side, the faults of a row in turn: what befalls the
 * network takes slots, and hinders nothing of what befalls single services meanwhile.
 */
export const allFaults: readonly (readonly (readonly AlertFault[])[])[] = [
  [
    [changedPages, leftAlone, networkAway],
    [poison, diskLow, ownerAway, killedAgain, unkeptSearches, starvedGateway],
  ],
  [[brokerAway, noMemory, mongoAway, influxAway, influxSlow, bucketRenamed, authAway]],
];

/** The faults that prove these alerts, all where none is named. @throws Error for an alert that no fault proves */
export function faultsFor(alerts: readonly string[]): typeof allFaults {
  const proved = allFaults.flat(2).flatMap(({ raises }) => raises);
  const strange = alerts.filter((alert) => !proved.includes(alert));
  if (strange.length > 0) throw new Error(`There is no alert ${strange.join(', ')}`);
  if (alerts.length === 0) return allFaults;
  const isAsked = ({ raises }: AlertFault) => raises.some((alert) => alerts.includes(alert));
  return allFaults.map((phase) => phase.map((row) => row.filter(isAsked)));
}
