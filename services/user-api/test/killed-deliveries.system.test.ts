import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { describeKilledDeliveries } from './killed-deliveries.contract.ts';

describeKilledDeliveries('SQLite', async () => `sqlite:${join(temporaryDirectory(), 'users.sqlite')}`);
