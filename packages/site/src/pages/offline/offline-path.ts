/** Path of the page that the service worker shows. Its module is the worker's own: a worker can not share a chunk. */
export const OFFLINE_PAGE = '/offline';
