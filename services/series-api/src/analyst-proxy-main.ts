import { analystProxy } from './analyst-proxy.ts';

await analystProxy.run();
