/** The SDK as an ES module: the class of the classic script, which is its one definition. */
import './service-auth.js';

export const { ServiceAuth } = globalThis;
