import { allMessages, boardStored, operations } from '@lobbystats/contracts';

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

  it('of a board touches every answer that shows its name', () => {
    const touched = boardStored.tags(boardStored.example);
    const titleId = boardStored.example.boards[0]?.titleId ?? '';
    const { listChanges, listTitleChanges, listLeaderboards } = operations;
    for (const shown of [
      listChanges.tags({}),
      listTitleChanges.tags({ titleId }),
      listLeaderboards.tags({ titleId }),
    ]) {
      expect(shown.filter((tag) => touched.includes(tag))).toHaveLength(1);
    }
  });

  it('only facts touch cached answers', () => {
    const others = allMessages.filter((message) => message.exchange !== 'facts');
    expect(others.flatMap((message) => message.tags(message.example))).toEqual([]);
  });
});
