import { seriesApi } from './service.ts';

await seriesApi.run();
