import { setting } from '@lobbystats/service-kit';
import { z } from 'zod';

const LOOPBACK = '127.0.0.1';
const port = (number: number) => setting.integer({ min: 1, max: 65_535, default: number });
const commented = true;

/** Settings that only the compose files read. Those of services are declared by the services. */
export const composeSettings = z.object({
  LISTEN_HOST: setting.text(LOOPBACK).meta({
    description: 'Address of nginx, the public endpoint. 0.0.0.0 accepts connections from other machines.',
  }),
  LISTEN_PORT: port(8080).meta({ description: 'Its port.' }),
  TLS_HOST: setting.text(LOOPBACK).meta({
    description:
      'The public endpoint with TLS (profile tls): its address and ports. Requests without TLS are redirected to PUBLIC_URL.',
  }),
  HTTP_PORT: port(80),
  HTTPS_PORT: port(443),
  PUBLIC_TLS: setting.text('./data/public-tls').meta({
    description: 'Directory of cert.pem and key.pem. Unset: the certificate that the profile acme gets.',
    commented,
  }),
  HSTS_MAX_AGE: setting.integer({ min: 0, max: 1_000_000_000, default: 31_536_000 }).meta({
    description: 'For how long browsers refuse the site without TLS, in seconds. 0: not at all.',
  }),
  ACME_SERVER: setting.text().optional().meta({
    description: 'Directory URL of another certificate authority than Let’s Encrypt (profile acme).',
  }),
  CONNECTIONS_PER_ADDRESS: setting.integer({ min: 1, max: 1_000_000, default: 128 }).meta({
    description:
      'Concurrent requests of one client address at nginx, live streams included, for the public and for analysts. Further ones get 429.',
  }),
  REAL_IP_FROM: setting.text().optional().meta({
    description:
      'Trusted proxies or a CDN in front of nginx, as addresses and subnets separated by commas. nginx takes the client address from their X-Forwarded-For. Unset: the address of the connection counts, so all clients of a proxy count as one.',
  }),
  RABBITMQ_PORT: port(5672).meta({ description: 'Ports of the servers, on loopback only.' }),
  RABBITMQ_MANAGEMENT_PORT: port(15_672),
  INFLUXDB_PORT: port(8086),
  MONGODB_PORT: port(27_017),
  PROMETHEUS_PORT: port(9090),
  GRAFANA_PORT: port(3000),
  ANALYSTS_LOCAL_PORT: port(8087).meta({ description: 'Analysts’ endpoint to InfluxDB: its port on loopback.' }),
  ANALYSTS_HOST: setting.text(LOOPBACK).meta({
    description: 'Its address and port for other machines, with TLS (profile analysts-tls).',
  }),
  ANALYSTS_PORT: port(8443),
  ANALYSTS_TLS: setting.text('./data/tls').meta({ description: 'Directory of its cert.pem and key.pem.' }),
  GATEWAY_URL: setting.url({ protocols: ['http', 'https'], default: 'http://127.0.0.1:8080' }).meta({
    description: 'URL of the public endpoint for npx lobbystats doctor. Default: http://127.0.0.1:LISTEN_PORT.',
    commented,
  }),
  ENV_DIRECTORY: setting.text('.').meta({
    description:
      'Directory whose .env has the secrets, where docker compose --env-file names another one than that of this directory.',
    commented,
  }),
  LOBBYSTATS_IMAGE: setting.text('lobbystats').meta({
    description: 'The image of the services and its tag. It is built if it is missing.',
  }),
  LOBBYSTATS_TAG: setting.text('local'),
  NODE_IMAGE: setting.text('node:24-slim').meta({
    description:
      'Other images than the official ones, such as those of a mirror: of the services’ build, and of the servers.',
    commented,
  }),
  RABBITMQ_IMAGE: setting.text('rabbitmq:4-management').meta({ commented }),
  INFLUXDB_IMAGE: setting.text('influxdb:2.8').meta({ commented }),
  MONGO_IMAGE: setting.text('mongo:8').meta({ commented }),
  NGINX_IMAGE: setting.text('nginx:1.30').meta({ commented }),
  PROMETHEUS_IMAGE: setting.text('prom/prometheus:v3.13.5').meta({ commented }),
  GRAFANA_IMAGE: setting.text('grafana/grafana:13.2.3').meta({ commented }),
  ACME_IMAGE: setting.text('certbot/certbot:v5.8.0').meta({ commented }),
});
