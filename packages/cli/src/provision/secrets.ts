export const secrets = {
  RABBITMQ_ADMIN_PASSWORD: 'RabbitMQ: the init job and operators',
  RABBITMQ_COLLECTOR_PASSWORD: 'RabbitMQ: collectors',
  RABBITMQ_SERIES_API_PASSWORD: 'RabbitMQ: series-api',
  RABBITMQ_CATALOG_API_PASSWORD: 'RabbitMQ: catalog-api',
  RABBITMQ_USER_API_PASSWORD: 'RabbitMQ: user-api',
  RABBITMQ_REPUTATION_API_PASSWORD: 'RabbitMQ: reputation-api',
  RABBITMQ_GATEWAY_PASSWORD: 'RabbitMQ: gateways',
  RABBITMQ_DLQ_PASSWORD: 'RabbitMQ: npm run dlq',
  INFLUXDB_ADMIN_PASSWORD: 'InfluxDB: operators, web interface',
  INFLUXDB_ADMIN_TOKEN: 'InfluxDB: the init job, which creates the tokens of services',
  MONGODB_ADMIN_PASSWORD: 'MongoDB: the init job and operators',
  MONGODB_COLLECTOR_PASSWORD: 'MongoDB: collectors',
  MONGODB_CATALOG_API_PASSWORD: 'MongoDB: catalog-api',
  MONGODB_USER_API_PASSWORD: 'MongoDB: user-api',
  MONGODB_REPUTATION_API_PASSWORD: 'MongoDB: reputation-api',
  GRAFANA_ADMIN_PASSWORD: 'Grafana: its administrator, admin',
  ERASURE_KEY: 'user-api: key of the hashes of erased users; with another key they are re-imported',
  MONGODB_KEY: 'MongoDB: shared key of the replica set members',
} as const;

export type SecretName = keyof typeof secrets;
