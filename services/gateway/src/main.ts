import { gatewayService } from './service.ts';

await gatewayService.run();
