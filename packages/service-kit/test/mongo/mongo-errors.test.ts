import { hasCode } from '@lobbystats/contracts/errors';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { toStoreError } from '../../src/mongo/mongo-errors.ts';

const socketError = (code: string) =>
  Object.assign(new Error('This socket has been ended by the other party'), { code });

describe('a MongoDB driver error', () => {
  it.each([
    new MongoNetworkError('connection closed'),
    new MongoServerError({ code: 91, message: 'shutting down' }),
    socketError('EPIPE'),
    socketError('ECONNRESET'),
  ])('is mapped to unavailable when it is transient: %s', (error) => {
    expect(hasCode(toStoreError(error), 'unavailable')).toBe(true);
  });

  it.each([new TypeError('a bug'), socketError('EACCES'), new MongoServerError({ code: 2, message: 'bad value' })])(
    'is returned unchanged when it is permanent: %s',
    (error) => {
      expect(toStoreError(error)).toBe(error);
    },
  );
});
