import { BusUrlError, NoJournalError, openBus, openDeadLetters } from '@lobbystats/message-bus';
import { ORIGIN } from './samples.ts';

describe('opening a bus by its URL', () => {
  it('gives a bus that lives in memory', async () => {
    const bus = await openBus({ url: 'memory:', origin: ORIGIN });
    expect(bus.origin).toBe(ORIGIN);
    await bus.close();
  });

  it.each([
    ['amqp://someone:secret@localhost', /no RabbitMQ adapter yet/],
    ['amqps://someone:secret@localhost', /no RabbitMQ adapter yet/],
    ['kafka://someone:secret@localhost', /memory: or memory:PATH, not kafka:/],
    ['', /memory: or memory:PATH/],
  ])('refuses %p without repeating what is secret in it', async (url, message) => {
    for (const open of [openBus({ url, origin: ORIGIN }), openDeadLetters({ url })]) {
      await expect(open).rejects.toThrow(BusUrlError);
      await expect(open).rejects.toThrow(message);
      await expect(open).rejects.not.toThrow(/secret/);
    }
  });

  it('refuses the dead letters of a bus in memory, and of one that never was', async () => {
    await expect(openDeadLetters({ url: 'memory:' })).rejects.toThrow(BusUrlError);
    await expect(openDeadLetters({ url: 'memory:/nowhere/bus.sqlite' })).rejects.toThrow(NoJournalError);
  });
});
