/** The image of our services as docker-compose.yml names it. */
export const IMAGE = process.env['LOBBYSTATS_IMAGE'] ?? 'lobbystats:local';
