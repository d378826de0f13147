{{/*
The services of docker-compose.yml as data, from which all objects are made. A test compares both files.
  networks       inside, outside, public: NetworkPolicies by label
  servers        those it connects to
  secrets        keys of existingSecret, as environment variables that `env` can name as $(KEY); optionalSecrets may be missing
  startPath      the startup probe's path; null: no probes. Without it and with `ports`: whether the first port accepts connections
  singleton      two replicas would do damage
  tool           runs only when scaled up; operators run commands in it
*/}}
{{- define "lobbystats.services" -}}
{{- $s := .Values.settings -}}
{{- $gateway := printf "http://%s:8080" (include "lobbystats.host" (dict "root" . "name" "gateway")) -}}
collector:
  command: [node, services/collector/src/main.ts]
  networks: [inside, outside]
  servers: [rabbitmq, mongodb]
  ports: { http: 8080, metrics: 9464 }
  startPath: /readyz
  secrets: [RABBITMQ_COLLECTOR_PASSWORD, MONGODB_COLLECTOR_PASSWORD]
  optionalSecrets: [OTEL_EXPORTER_OTLP_HEADERS]
  env:
    {{- include "lobbystats.environment" . | nindent 4 }}
    {{- include "lobbystats.network" . | nindent 4 }}
    BUS_URL: {{ include "lobbystats.busUrl" (dict "root" . "user" "collector" "secret" "RABBITMQ_COLLECTOR_PASSWORD") }}
    DATABASE_URL: {{ include "lobbystats.databaseUrl" (dict "root" . "user" "collector" "secret" "MONGODB_COLLECTOR_PASSWORD" "database" "collector") }}
    {{- range $name := list "HISTORY_URL" "NETWORK_SOURCES_FILE" "NETWORK_CLOCK_TOLERANCE_SECONDS" "COLLECTOR_MAX_RPS" "COLLECTOR_CONTACT" "COLLECTOR_OUTLIER_FACTOR" "PAGE_PARSERS" "PAGE_PARSE_TIMEOUT_MS" "PAGE_PARSER_MEMORY_MB" "BACKFILL_DAYS" "BACKFILL_REGISTERED_DAYS" "BACKFILL_LEADERBOARD_DAYS" "BACKFILL_PLAY_TIME_DAYS" }}
    {{ $name }}: {{ include "lobbystats.text" (index $s $name) | quote }}
    {{- end }}
{{- range $name := list "series-api" "series-api-2" }}
{{- if or (eq $name "series-api") $.Values.influxdb.secondUrl }}

{{ $name }}:
  command: [node, services/series-api/src/main.ts]
  networks: [inside]
  servers: [rabbitmq, influxdb]
  ports: { http: 8080, metrics: 9464 }
  startPath: /readyz
  secrets: [RABBITMQ_SERIES_API_PASSWORD]
  optionalSecrets: [OTEL_EXPORTER_OTLP_HEADERS]
  env:
    {{- include "lobbystats.environment" $ | nindent 4 }}
    BUS_URL: {{ include "lobbystats.busUrl" (dict "root" $ "user" "series-api" "secret" "RABBITMQ_SERIES_API_PASSWORD") }}
    {{- if eq $name "series-api" }}
    SERIES_URL: {{ $.Values.influxdb.url | quote }}
    {{- else }}
    SERIES_QUEUE: {{ $name }}
    SERIES_URL: {{ $.Values.influxdb.secondUrl | quote }}
    {{- end }}
    INFLUXDB_ORG: {{ $.Values.influxdb.org | quote }}
    INFLUX_TOKEN_FILE: /var/lib/lobbystats/tokens/{{ $name }}
  mounts:
    - { name: tokens, mountPath: /var/lib/lobbystats/tokens, readOnly: true }
{{- end }}
{{- end }}

catalog-api:
  command: [node, services/catalog-api/src/main.ts]
  networks: [inside]
  servers: [rabbitmq, mongodb]
  ports: { http: 8080, metrics: 9464 }
  startPath: /readyz
  secrets: [RABBITMQ_CATALOG_API_PASSWORD, MONGODB_CATALOG_API_PASSWORD]
  optionalSecrets: [OTEL_EXPORTER_OTLP_HEADERS]
  env:
    {{- include "lobbystats.environment" . | nindent 4 }}
    BUS_URL: {{ include "lobbystats.busUrl" (dict "root" . "user" "catalog-api" "secret" "RABBITMQ_CATALOG_API_PASSWORD") }}
    DATABASE_URL: {{ include "lobbystats.databaseUrl" (dict "root" . "user" "catalog-api" "secret" "MONGODB_CATALOG_API_PASSWORD" "database" "catalog") }}
    PUBLIC_URL: {{ $s.PUBLIC_URL | quote }}

user-api:
  command: [node, services/user-api/src/main.ts]
  networks: [inside, outside]
  servers: [rabbitmq, mongodb]
  ports: { http: 8080, metrics: 9464 }
  startPath: /readyz
  secrets: [RABBITMQ_USER_API_PASSWORD, MONGODB_USER_API_PASSWORD, ERASURE_KEY]
  optionalSecrets: [DISCORD_BOT_TOKEN, OTEL_EXPORTER_OTLP_HEADERS]
  env:
    {{- include "lobbystats.environment" . | nindent 4 }}
    {{- include "lobbystats.network" . | nindent 4 }}
    {{- include "lobbystats.sessions" . | nindent 4 }}
    BUS_URL: {{ include "lobbystats.busUrl" (dict "root" . "user" "user-api" "secret" "RABBITMQ_USER_API_PASSWORD") }}
    DATABASE_URL: {{ include "lobbystats.databaseUrl" (dict "root" . "user" "user-api" "secret" "MONGODB_USER_API_PASSWORD" "database" "users") }}
    PUBLIC_URL: {{ $s.PUBLIC_URL | quote }}
    DISCORD_API_URL: {{ $s.DISCORD_API_URL | default (printf "%s/discord" (include "lobbystats.simulatorAlone" .)) | quote }}

reputation-api:
  command: [node, services/reputation-api/src/main.ts]
  networks: [inside, outside]
  servers: [rabbitmq, mongodb]
  ports: { http: 8080, metrics: 9464 }
  startPath: /readyz
  secrets: [RABBITMQ_REPUTATION_API_PASSWORD, MONGODB_REPUTATION_API_PASSWORD]
  optionalSecrets: [OTEL_EXPORTER_OTLP_HEADERS]
  env:
    {{- include "lobbystats.environment" . | nindent 4 }}
    {{- include "lobbystats.sessions" . | nindent 4 }}
    BUS_URL: {{ include "lobbystats.busUrl" (dict "root" . "user" "reputation-api" "secret" "RABBITMQ_REPUTATION_API_PASSWORD") }}
    DATABASE_URL: {{ include "lobbystats.databaseUrl" (dict "root" . "user" "reputation-api" "secret" "MONGODB_REPUTATION_API_PASSWORD" "database" "reputation") }}

gateway:
  command: [node, services/gateway/src/main.ts]
  networks: [inside]
  servers: [rabbitmq]
  # nginx needs the address of each replica.
  headless: true
  ports: { http: 8080, metrics: 9464 }
  startPath: /readyz
  secrets: [RABBITMQ_GATEWAY_PASSWORD]
  optionalSecrets: [OTEL_EXPORTER_OTLP_HEADERS]
  env:
    {{- include "lobbystats.environment" . | nindent 4 }}
    {{- include "lobbystats.network" . | nindent 4 }}
    {{- include "lobbystats.sessions" . | nindent 4 }}
    AUTH_PUBLIC_URL: {{ coalesce $s.AUTH_PUBLIC_URL $s.AUTH_URL (printf "http://127.0.0.1%s:8090" (ternary ".invalid" "" (ne $s.NETWORK_URL ""))) | quote }}
    BUS_URL: {{ include "lobbystats.busUrl" (dict "root" . "user" "gateway" "secret" "RABBITMQ_GATEWAY_PASSWORD") }}
    SERIES_API_URL: http://{{ include "lobbystats.host" (dict "root" . "name" "series-api") }}:8080
      {{- if .Values.influxdb.secondUrl }},http://{{ include "lobbystats.host" (dict "root" . "name" "series-api-2") }}:8080{{ end }}
    {{- range $upstream := list "catalog-api" "user-api" "reputation-api" }}
    {{ $upstream | upper | replace "-" "_" }}_URL: http://{{ include "lobbystats.host" (dict "root" $ "name" $upstream) }}:8080
    {{- end }}
    {{- range $name := list "UPSTREAM_TIMEOUT_MS" "CACHE_BYTES" "PUBLIC_URL" "SECURITY_CONTACT" "TRUSTED_PROXIES" }}
    {{ $name }}: {{ include "lobbystats.text" (index $s $name) | quote }}
    {{- end }}

nginx:
  image: nginx
  command: [bash, /etc/lobbystats/start.sh, lobbystats.conf]
  networks: [public]
  ports: { http: 8080, metrics: 9464 }
  env:
    {{- include "lobbystats.nginxEnvironment" . | nindent 4 }}

{{- if .Values.tls.secretName }}
{{- if not (hasPrefix "https://" $s.PUBLIC_URL) }}
{{- fail "settings.PUBLIC_URL must begin with https:// when tls.secretName is set: nginx-tls redirects there" }}
{{- end }}

nginx-tls:
  image: nginx
  command: [bash, /etc/lobbystats/start-tls.sh]
  networks: [public]
  ports: { http: 8080, https: 8443 }
  env:
    {{- include "lobbystats.nginxEnvironment" . | nindent 4 }}
    {{- range $name := list "PUBLIC_URL" "HSTS_MAX_AGE" "CERTIFICATE_POLL_SECONDS" }}
    {{ $name }}: {{ include "lobbystats.text" (index $s $name) | quote }}
    {{- end }}
  mounts:
    - { name: certificate, mountPath: /run/lobbystats-tls, readOnly: true }
{{- end }}

{{- if .Values.analysts.enabled }}

analyst-proxy:
  command: [node, services/series-api/src/analyst-proxy-main.ts]
  networks: [inside]
  servers: [influxdb]
  singleton: true
  ports: { http: 8080, metrics: 9464 }
  startPath: /readyz
  optionalSecrets: [OTEL_EXPORTER_OTLP_HEADERS]
  env:
    {{- include "lobbystats.environment" . | nindent 4 }}
    INFLUXDB_URL: {{ .Values.influxdb.analystsUrl | default .Values.influxdb.url | quote }}
    ANALYSTS_SHARE: {{ include "lobbystats.text" $s.ANALYSTS_SHARE | quote }}

analysts:
  image: nginx
  command: [bash, /etc/lobbystats/start.sh, analysts.conf]
  networks: [inside]
  servers: [influxdb]
  ports: { http: 8087 }
  env:
    {{- include "lobbystats.nginxEnvironment" . | nindent 4 }}
    ANALYST_PROXY: {{ include "lobbystats.qualifiedHost" (dict "root" . "name" "analyst-proxy") }}:8080
    INFLUXDB_URL: {{ .Values.influxdb.analystsUrl | default .Values.influxdb.url | quote }}

{{- if .Values.analysts.tls.secretName }}

analysts-tls:
  image: nginx
  command: [bash, /etc/lobbystats/start.sh, analysts-tls.conf]
  networks: [inside]
  ports: { https: 8443 }
  env:
    {{- include "lobbystats.nginxEnvironment" . | nindent 4 }}
    ANALYSTS: {{ include "lobbystats.qualifiedHost" (dict "root" . "name" "analysts") }}:8087
  mounts:
    - { name: analysts-certificate, mountPath: /run/lobbystats-tls, readOnly: true }
{{- end }}
{{- end }}

{{- if include "lobbystats.isSimulated" . }}

simulator:
  command: [node, packages/cli/src/main.ts, simulator, --host, 0.0.0.0, --port, '8090']
  networks: [inside]
  singleton: true
  ports: { http: 8090 }
  startPath: /simulator/clock
  alivePath: /simulator/clock
{{- end }}

{{- if .Values.export.enabled }}

export:
  command: [node, packages/cli/src/main.ts, export, --out, /var/lib/lobbystats/exports, --nightly]
  networks: [inside]
  singleton: true
  env:
    GATEWAY_URL: {{ $gateway }}
  mounts:
    - { name: exports, mountPath: /var/lib/lobbystats/exports }
{{- end }}

dlq:
  tool: true
  networks: [inside]
  servers: [rabbitmq]
  secrets: [RABBITMQ_DLQ_PASSWORD]
  env:
    BUS_URL: {{ include "lobbystats.busUrl" (dict "root" . "user" "dlq" "secret" "RABBITMQ_DLQ_PASSWORD") }}

analyst-token:
  tool: true
  networks: [inside]
  servers: [influxdb]
  secrets: [INFLUXDB_ADMIN_TOKEN]
  env:
    INFLUXDB_URL: {{ .Values.influxdb.analystsUrl | default .Values.influxdb.url | quote }}
    INFLUXDB_ORG: {{ .Values.influxdb.org | quote }}

operator:
  tool: true
  networks: [inside, outside]
  servers: [rabbitmq, rabbitmq-management, influxdb, mongodb]
  secrets: {{ include "lobbystats.administratorSecrets" . | fromYamlArray | toJson }}
  optionalSecrets: [INFLUXDB_ADMIN_PASSWORD, GRAFANA_ADMIN_PASSWORD, MONGODB_KEY]
  env:
    {{- include "lobbystats.administration" . | nindent 4 }}
    GATEWAY_URL: {{ $gateway }}
    NETWORK_URL: {{ $s.NETWORK_URL | quote }}
  mounts:
    - { name: backups, mountPath: /backups }

moderate:
  tool: true
  networks: [inside]
  servers: [mongodb]
  secrets: [MONGODB_USER_API_PASSWORD, MONGODB_REPUTATION_API_PASSWORD, ERASURE_KEY]
  env:
    NETWORK_ORIGIN: {{ include "lobbystats.origin" . | quote }}
    USER_DATABASE_URL: {{ include "lobbystats.databaseUrl" (dict "root" . "user" "user-api" "secret" "MONGODB_USER_API_PASSWORD" "database" "users") }}
    REPUTATION_DATABASE_URL: {{ include "lobbystats.databaseUrl" (dict "root" . "user" "reputation-api" "secret" "MONGODB_REPUTATION_API_PASSWORD" "database" "reputation") }}
{{- end -}}

{{/* The job that creates and corrects users, queues, buckets and databases. */}}
{{- define "lobbystats.init" -}}
command: [node, packages/cli/src/main.ts, provision]
networks: [inside]
servers: [rabbitmq, rabbitmq-management, influxdb, mongodb]
secrets: {{ include "lobbystats.administratorSecrets" . | fromYamlArray | toJson }}
optionalSecrets: [INFLUXDB_ADMIN_PASSWORD, GRAFANA_ADMIN_PASSWORD, MONGODB_KEY]
env:
  {{- include "lobbystats.administration" . | nindent 2 }}
mounts:
  - { name: tokens, mountPath: /var/lib/lobbystats/tokens, readOnly: {{ not (empty .Values.tokens.existingSecret) }} }
  - { name: grafana-token, mountPath: /var/lib/lobbystats/grafana-token, readOnly: {{ not (empty .Values.tokens.existingSecret) }} }
{{- end -}}
