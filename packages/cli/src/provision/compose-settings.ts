import { setting } from '@lobbystats/service-kit';
import { z } from 'zod';

const LOOPBACK = '127.0.0.1';
const port = (number: number) => setting.integer({ min: 1, max: 65_535, default: number });
const commented = true;

/** Settings that only the compose files read. Those of services are declared by the services. */
export const composeSettings = z.object({
  LISTEN_HOST: setting.text(LOOPBACK).meta({
    description: 'Address of nginx, the public endpoint; 0.0.0.0 accepts connections from other machines.',
  }),
  LISTEN_PORT: port(8080).meta({ description: 'Its port.' }),
  TLS_HOST: setting.text(LOOPBACK).meta({
    description: 'Address of the endpoints with TLS (profiles tls and analysts-tls).',
  }),
  HTTP_PORT: port(80).meta({
    description: 'Ports of the public endpoint with TLS, which redirects requests without it to PUBLIC_URL.',
  }),
  HTTPS_PORT: port(443),
  TLS_DIRECTORY: setting.text('./data/tls').meta({
    description: 'Directory of their cert.pem and key.pem; unset, the certificate that the profile acme gets.',
    commented,
  }),
  ACME_SERVER: setting.text().optional().meta({
    description: 'Directory URL of another certificate authority than Let’s Encrypt (profile acme).',
  }),
  CONNECTIONS_PER_ADDRESS: setting.integer({ min: 1, max: 1_000_000, default: 128 }).meta({
    description: 'Concurrent requests of one client address at nginx, live streams included, beyond which it gets 429.',
  }),
  REAL_IP_FROM: setting.text().optional().meta({
    description:
      'Trusted proxies or a CDN in front of nginx, as addresses and subnets separated by commas; without them all clients of a proxy count as one address.',
  }),
  RABBITMQ_PORT: port(5672).meta({ description: 'Ports of the servers, on loopback only.' }),
  RABBITMQ_MANAGEMENT_PORT: port(15_672),
  INFLUXDB_PORT: port(8086),
  MONGODB_PORT: port(27_017),
  PROMETHEUS_PORT: port(9090),
  GRAFANA_PORT: port(3000),
  ANALYSTS_LOCAL_PORT: port(8087).meta({
    description: 'Ports of the analysts’ endpoint to InfluxDB: on loopback, and with TLS.',
  }),
  ANALYSTS_PORT: port(8443),
  GATEWAY_URL: setting.url({ protocols: ['http', 'https'], default: 'http://127.0.0.1:8080' }).meta({
    description: 'URL of the public endpoint for npx lobbystats doctor, by default http://127.0.0.1:LISTEN_PORT.',
    commented,
  }),
  ENV_DIRECTORY: setting.text('.').meta({
    description:
      'Directory whose .env has the secrets, where docker compose --env-file names another one than that of this directory.',
    commented,
  }),
  LOBBYSTATS_IMAGE: setting.text('lobbystats:local').meta({
    description: 'The image of the services, which is built if it is missing.',
  }),
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
