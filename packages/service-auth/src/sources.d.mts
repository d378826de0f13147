/** The SDK's files, to be served in one directory under these names: the module loads the script. */
export type ServiceAuthSources = Readonly<Record<'service-auth.js' | 'service-auth.mjs', string>>;

/** Reads the SDK for browsers that reach the auth service at `authUrl`. */
export function readServiceAuth(authUrl: string): ServiceAuthSources;
