import { allMessages, boardStored, operations, tagsOf } from '@lobbystats/contracts';

describe('message types', () => {
  it('each routing key is unique', () => {
    const keys = allMessages.map((message) => message.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(allMessages.map((message) => [message.key, message] as const))(
    'the example of %s matches its schema',
    (_, message) => {
      expect(message.data.parse(message.example)).toMatchObject(message.example as object);
    },
  );

  it.each(allMessages.map((message) => [message.key, message] as const))(
    '%s has consumers or is a fact',
    (_, message) => {
      const forTheLog = message.exchange === 'facts';
      expect(message.consumers.length > 0 || forTheLog).toBe(true);
    },
  );

  it('board.stored invalidates every response that shows the name of a board', () => {
    const touched = boardStored.tags(boardStored.example);
    const titleId = boardStored.example.boards[0]?.titleId ?? '';
    const { listChanges, listTitleChanges, listLeaderboards } = operations;
    for (const operation of [listChanges, listTitleChanges, listLeaderboards]) {
      expect(tagsOf([operation], { titleId }).filter((tag) => touched.includes(tag))).toHaveLength(1);
    }
  });

  it('only facts have cache tags', () => {
    const others = allMessages.filter((message) => message.exchange !== 'facts');
    expect(others.flatMap((message) => message.tags(message.example))).toEqual([]);
  });
});
