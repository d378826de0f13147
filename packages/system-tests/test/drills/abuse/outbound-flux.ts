import { expect } from 'expect';
import { outboundFluxScripts } from '../../analysts/outbound-flux-scripts.ts';
import type { StackDrill } from '../drill.ts';
import { analystsEndpoint } from './analysts-endpoint.ts';

export const outboundFlux: StackDrill = {
  number: 36,
  name: 'Flux that opens connections',
  on: 'stack',
  isShort: true,
  run: async (stage) => {
    await using resources = new AsyncDisposableStack();
    const { url, token } = await analystsEndpoint(stage, resources);
    const trap = await stage.trap();
    resources.defer(() => trap.close());
    const ask = (body: string) =>
      fetch(`${url}/api/v2/query?org=lobbystats`, {
        method: 'POST',
        headers: { authorization: `Token ${token}`, 'content-type': 'application/vnd.flux' },
        body,
      });
    const [address = ''] = trap.addresses;
    // InfluxDB's container can reach the trap: without that, no connection from it would prove nothing.
    const connect = `exec 3<>/dev/tcp/${address.replace(':', '/')}`;
    await stage.compose('exec', '-T', 'influxdb', 'bash', '-c', connect);
    expect(await trap.connections()).toBe(1);
    const counts: Record<number, number> = {};
    for (const trapAddress of trap.addresses) {
      for (const [name, flux] of Object.entries(outboundFluxScripts(`http://${trapAddress}/`))) {
        const { status } = await ask(flux);
        expect([name, trapAddress, status >= 400]).toEqual([name, trapAddress, true]);
        counts[status] = (counts[status] ?? 0) + 1;
      }
    }
    expect((await ask('from(bucket: "snapshots") |> range(start: -1h) |> limit(n: 1)')).status).toBe(200);
    expect(await trap.connections()).toBe(1);
    return [
      `questions under ${trap.addresses.length} names of one place: ${Object.entries(counts)
        .map(([status, count]) => `${count} were ${status}`)
        .join(', ')}; 0 connections; from(bucket:) is 200`,
    ];
  },
};
