export { readServiceAuth, type ServiceAuthSources } from './sources.ts';
