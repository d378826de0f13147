/** The image of our services as docker-compose.yml names it. */
export const IMAGE = `lobbystats:${process.env['LOBBYSTATS_TAG'] ?? 'local'}`;
