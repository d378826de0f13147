import { memberFaults } from '../../src/bus/rabbitmq/member-faults.ts';

const [a, b, c] = ['rabbit@a', 'rabbit@b', 'rabbit@c'];
const nodes = [a, b, c];
const complete = [
  { name: 'series-api', type: 'quorum', members: nodes, online: nodes },
  { name: 'facts.log', type: 'stream', members: nodes, online: nodes },
];
const faults = (found: typeof complete, running = nodes) =>
  memberFaults({ vhost: 'lobbystats', nodes, running }, found);

describe('memberFaults', () => {
  it('finds nothing in a complete cluster', () => {
    expect(faults(complete)).toEqual([]);
  });

  it('names the queues and streams without a member on a node, with commands that add it', () => {
    const found = complete.map((queue) => ({ ...queue, members: [a, b], online: [a, b] }));
    expect(faults(found)).toEqual([
      {
        text: '1 of 1 quorum queues have no member on rabbit@c',
        todo: expect.stringContaining('rabbitmq-queues grow rabbit@c'),
      },
      {
        text: 'the stream facts.log has no replica on rabbit@c',
        todo: expect.stringContaining('add_replica --vhost lobbystats facts.log rabbit@c'),
      },
    ]);
  });

  it('names offline members of a running node alone', () => {
    const found = complete.map((queue) => ({ ...queue, online: [a, b] }));
    expect(faults(found).map(({ text }) => text)).toEqual(['members on rabbit@c are offline: series-api, facts.log']);
    expect(faults(found, [a, b])).toEqual([]);
  });

  it('ignores queues of others', () => {
    expect(faults([{ name: 'others', type: 'quorum', members: [a], online: [a] }])).toEqual([]);
  });
});
