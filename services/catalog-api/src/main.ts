import { catalogApi } from './service.ts';

await catalogApi.run();
