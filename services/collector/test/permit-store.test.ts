import { memoryPermitStore } from './memory-permit-store.ts';
import { permitStoreContract } from './permit-store.contract.ts';

describe('the arithmetic of permits', () => {
  permitStoreContract((serverMs) => Promise.resolve(memoryPermitStore(serverMs)), 300);
});
