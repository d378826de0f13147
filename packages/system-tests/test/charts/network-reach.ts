import { BlockList, isIPv6 } from 'node:net';
import { z } from 'zod';
import type { KubernetesObject } from './render-chart.ts';

const labels = z.record(z.string(), z.string());
// Only matchLabels: an unknown kind of selector fails to parse.
const selector = z.strictObject({ matchLabels: labels.default({}) });
const peer = z.strictObject({
  podSelector: selector.optional(),
  namespaceSelector: selector.optional(),
  ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional(),
});
const ports = z.array(z.strictObject({ protocol: z.enum(['TCP', 'UDP']), port: z.int() })).optional();
const policy = z.object({
  spec: z.strictObject({
    podSelector: selector,
    policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
    ingress: z.array(z.strictObject({ from: z.array(peer).optional(), ports })).default([]),
    egress: z.array(z.strictObject({ to: z.array(peer).optional(), ports })).default([]),
  }),
});
type Policy = z.output<typeof policy>['spec'];
type Peer = z.output<typeof peer>;
type Labels = z.output<typeof labels>;

/** A pod of the release, a pod of another namespace, or an address. */
export type Endpoint = { labels: Labels; namespace?: Labels } | { address: string };

/** @returns whether the policies let `from` connect to a TCP port of `to`, in both directions that Kubernetes checks */
export function createReach(objects: readonly KubernetesObject[]) {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy').map((object) => policy.parse(object).spec);
  return (from: Endpoint, to: Endpoint, port: number): boolean =>
    isAllowed(policies, 'Egress', from, to, port) && isAllowed(policies, 'Ingress', to, from, port);
}

/** Without a policy for a pod everything is allowed. The policies of a pod add up. */
function isAllowed(all: readonly Policy[], type: 'Ingress' | 'Egress', self: Endpoint, other: Endpoint, port: number) {
  const own = all.filter(
    ({ policyTypes, podSelector }) =>
      policyTypes.includes(type) &&
      'labels' in self &&
      self.namespace === undefined &&
      matches(podSelector.matchLabels, self.labels),
  );
  const rules = own.flatMap(({ ingress, egress }) =>
    type === 'Ingress'
      ? ingress.map((rule) => ({ peers: rule.from, ports: rule.ports }))
      : egress.map((rule) => ({ peers: rule.to, ports: rule.ports })),
  );
  return (
    own.length === 0 ||
    rules.some(
      (rule) =>
        (rule.peers?.some((candidate) => isPeer(candidate, other)) ?? true) &&
        (rule.ports?.some((candidate) => candidate.port === port && candidate.protocol === 'TCP') ?? true),
    )
  );
}

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, endpoint: Endpoint): boolean {
  if ('address' in endpoint) {
    return (
      ipBlock !== undefined &&
      isIn(ipBlock.cidr, endpoint.address) &&
      !ipBlock.except.some((cidr) => isIn(cidr, endpoint.address))
    );
  }
  if (ipBlock !== undefined) return false;
  const isNamespace =
    namespaceSelector === undefined
      ? endpoint.namespace === undefined
      : matches(namespaceSelector.matchLabels, endpoint.namespace ?? {});
  return isNamespace && matches(podSelector?.matchLabels ?? {}, endpoint.labels);
}

function matches(selected: Labels, own: Labels): boolean {
  return Object.entries(selected).every(([name, value]) => own[name] === value);
}

function isIn(cidr: string, address: string): boolean {
  const [network = '', prefix] = cidr.split('/');
  // An IPv4 address is also in IPv6 networks for BlockList, as an IPv4-mapped one.
  if (isIPv6(network) !== isIPv6(address)) return false;
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(network, Number(prefix), family);
  return list.check(address, family);
}
