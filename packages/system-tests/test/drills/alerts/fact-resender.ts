import { connect, type ConsumeMessage } from 'amqplib';
import { consumersOf, loggedFacts, sendAgain } from '../logged-facts.ts';
import { amqpUrl } from '../faults/poison.ts';
import type { StackStage } from '../stages/stack-stage.ts';

/** Returns a function that puts a number of old facts into a queue again; they change nothing. */
export async function factResender(
  stage: StackStage,
  ending: AsyncDisposableStack,
  queue: string,
): Promise<(count: number) => Promise<void>> {
  const connection = await connect(amqpUrl(stage));
  ending.defer(() => connection.close());
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
