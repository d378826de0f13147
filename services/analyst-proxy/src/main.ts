import { analystProxy } from './service.ts';

await analystProxy.run();
