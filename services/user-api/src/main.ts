import { userApi } from './service.ts';

await userApi.run();
