import { Collection } from 'mongodb';

/** The driver's methods that write. */
const WRITING = [
  'bulkWrite',
  'insertMany',
  'insertOne',
  'updateOne',
  'updateMany',
  'findOneAndUpdate',
  'findOneAndDelete',
  'deleteOne',
  'deleteMany',
] as const;

/** Cuts off, as a kill would, what stores do after so many writes. Returns how to end it. */
export function cutMongo(writes: number): () => void {
  let left = writes;
  const cuts = WRITING.map((name) => {
    const write = Reflect.get(Collection.prototype, name) as (...args: unknown[]) => Promise<never>;
    return jest.spyOn(Collection.prototype, name).mockImplementation(function (this: Collection, ...args) {
      if (left === 0) throw new Error('cut off');
      left -= 1;
      return write.apply(this, args);
    });
  });
  return () => {
    for (const cut of cuts) cut.mockRestore();
  };
}
