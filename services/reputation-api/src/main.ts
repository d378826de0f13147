import { reputationApi } from './service.ts';

await reputationApi.run();
