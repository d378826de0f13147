import { Collection } from 'mongodb';

/** Write methods of the driver. */
const WRITE_METHODS = [
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

/** Makes stores fail after a number of writes, as a kill would. Returns a function that restores them. */
export function failMongoAfter(writes: number): () => void {
  let left = writes;
  const cuts = WRITE_METHODS.map((name) => {
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
