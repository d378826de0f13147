interface ResourceDefinitions {
  /** A Go module that contains an operator's custom resource definitions. */
  readonly module: string;
  readonly sum: string;
  readonly files: readonly string[];
}

export const resourceDefinitions: readonly ResourceDefinitions[] = [
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
    files: ['servicemonitors', 'prometheusrules'].map(
      (kind) => `example/prometheus-operator-crd/monitoring.coreos.com_${kind}.yaml`,
    ),
  },
  {
    module: 'github.com/rabbitmq/cluster-operator/v2@v2.16.0',
    sum: 'h1:oYJm+1tXIatGHtiUWyN9hGdO+0eWsXA/j1b81wh0IqI=',
    files: ['config/crd/bases/rabbitmq.com_rabbitmqclusters.yaml'],
  },
  {
    module: 'github.com/mongodb/mongodb-kubernetes-operator@v0.9.0',
    sum: 'h1:1SBmpQznWVbUgzi+ScNCNv6z5pLBwsSe4DUDKxHzFwc=',
    files: ['config/crd/bases/mongodbcommunity.mongodb.com_mongodbcommunity.yaml'],
  },
];
