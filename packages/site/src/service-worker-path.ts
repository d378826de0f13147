/** Path of the script that answers while the site can not be reached. It serves the whole site from the root. */
export const SERVICE_WORKER = '/service-worker.js';
