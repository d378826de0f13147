import { connect, type ConsumeMessage } from 'amqplib';
import { consumersOf, loggedFacts, sendAgain } from '../../drills/faults/logged-facts.ts';
import { amqpUrl } from '../../drills/faults/poison.ts';
import type { AlertStage } from '../alert-fault.ts';

/** Returns a function that puts a number of old facts into a queue again; they change nothing. */
export async function factResender(
  { stack }: AlertStage,
  mending: AsyncDisposableStack,
  queue: string,
): Promise<(count: number) => Promise<void>> {
  const connection = await connect(amqpUrl(stack));
  mending.defer(() => connection.close());
  const own = (await loggedFacts(await connection.createChannel())).filter((fact) => consumersOf(fact).includes(queue));
  if (own.length === 0) throw new Error(`the log has no fact for ${queue}`);
  const channel = await connection.createConfirmChannel();
  let sent = 0;
  return async (count) => {
    for (const end = sent + count; sent < end; sent += 1) {
      const fact: ConsumeMessage | undefined = own[sent % own.length];
      if (fact !== undefined) sendAgain(channel, queue, fact);
    }
    await channel.waitForConfirms();
  };
}
