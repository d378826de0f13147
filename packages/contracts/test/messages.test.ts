import { allMessages } from '@lobbystats/contracts';

describe('the message table', () => {
  it('names each routing key once', () => {
    const keys = allMessages.map((message) => message.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(allMessages.map((message) => [message.key, message] as const))(
    '%s has an example that fits',
    (_, message) => {
      expect(message.data.parse(message.example)).toEqual(message.example);
    },
  );

  it.each(allMessages.map((message) => [message.key, message] as const))('%s says whom it is for', (_, message) => {
    const forTheLog = message.exchange === 'facts';
    expect(message.consumers.length > 0 || forTheLog).toBe(true);
  });

  it('only facts touch cached answers', () => {
    const others = allMessages.filter((message) => message.exchange !== 'facts');
    expect(others.flatMap((message) => message.tags(message.example))).toEqual([]);
  });
});
