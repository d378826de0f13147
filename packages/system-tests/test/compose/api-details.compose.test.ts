import { describeApiDetails } from '../standalone/api-details.contract.ts';
import { compose, gatewayUrl } from './stack.ts';

beforeAll(() => compose('up', '-d', '--wait', '--no-recreate'));

describeApiDetails('the stack', () => ({ url: gatewayUrl, networkUrl: String(process.env['TEST_SIMULATOR_URL']) }));
