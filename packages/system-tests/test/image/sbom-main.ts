import { createSbom } from './sbom.ts';

// Prints the bill of materials of the image: npm run sbom
process.stdout.write(`${JSON.stringify(createSbom(), null, 2)}\n`);
