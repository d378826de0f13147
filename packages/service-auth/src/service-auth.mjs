/** The SDK as an ES module: exports the class that the classic script defines. */
import './service-auth.js';

export const { ServiceAuth } = globalThis;
