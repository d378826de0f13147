import { hasCode } from '@lobbystats/errors';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { storeFault } from '../src/mongo-fault.ts';

const socketError = (code: string) =>
  Object.assign(new Error('This socket has been ended by the other party'), { code });

describe('an error of the driver', () => {
  it.each([
    new MongoNetworkError('connection closed'),
    new MongoServerError({ code: 91, message: 'shutting down' }),
    socketError('EPIPE'),
    socketError('ECONNRESET'),
  ])('means that the store is unavailable: %s', (error) => {
    expect(hasCode(storeFault(error), 'unavailable')).toBe(true);
  });

  it.each([new TypeError('a bug'), socketError('EACCES'), new MongoServerError({ code: 2, message: 'bad value' })])(
    'stays itself where waiting does not help: %s',
    (error) => {
      expect(storeFault(error)).toBe(error);
    },
  );
});
