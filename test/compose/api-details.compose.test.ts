import { describeApiDetails } from '../../services/standalone/test/api-details.contract.ts';
import { compose, gateway } from './stack.ts';

beforeAll(() => compose('up', '-d', '--wait', '--no-recreate'), 300_000);

describeApiDetails('the stack', () => ({ url: gateway, networkUrl: String(process.env['TEST_SIMULATOR_URL']) }));
