export { CHROMIUM_FLAGS, findChromium, isPageFault, launchChromium } from './chromium.ts';
export { cleanUp, type Scope } from './clean-up.ts';
export { eventually, until, untilAnswered } from './eventually.ts';
export { expectValidResponse, contractViolations, type ReceivedResponse } from './contract-violations.ts';
export { findOperation } from './find-operation.ts';
export { fixedClock, type FixedClock } from './fixed-clock.ts';
export { getJson, type JsonResponse } from './get-json.ts';
export { HOSTILE_SHAPES, hostilePage, type HostileShape } from './hostile-page.ts';
export { LAYOUT_FAULTS } from './layout-faults.ts';
export { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from './http-receiver.ts';
export { guardNetwork, type NetworkGuard } from './network-guard.ts';
export {
  observedTitle,
  slotObservation,
  titleObservation,
  type SlotObservation,
  type SlotOptions,
  type SlotTitle,
  type TitleMetadata,
  type TitleObservation,
} from './observations.ts';
export { pushSubscription, readVapid } from './push-subscription.ts';
export { boundedParameters, readsOf, targetsOf, withQuery, type BoundedParameter } from './reads.ts';
export { repeatableProperties, repetitions, seedOfRun } from './repeatable-properties.ts';
export { mostWithin } from './request-windows.ts';
export { slowResponse, truncatedResponse, serveRaw } from './serve-raw.ts';
export { memoryBus, startService, stopAll, temporaryDirectory } from './test-resources.ts';
export { lockServers, testServers, type TestServers } from './test-servers.ts';
export { startTraceReceiver, type ReceivedSpan, type TraceReceiver } from './trace-receiver.ts';
