{{/* The environment that several services share: the anchors x-environment, x-network and x-sessions of docker-compose.yml. */}}

{{- define "lobbystats.environment" -}}
HOST: 0.0.0.0
PORT: '8080'
METRICS_HOST: 0.0.0.0
METRICS_PORT: '9464'
{{ include "lobbystats.logs" . }}
STOP_TIMEOUT_MS: {{ include "lobbystats.text" .Values.settings.STOP_TIMEOUT_MS | quote }}
NETWORK_ORIGIN: {{ include "lobbystats.origin" . | quote }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ .Values.settings.OTEL_EXPORTER_OTLP_ENDPOINT | quote }}
OTEL_TRACES_SAMPLER_ARG: {{ include "lobbystats.text" .Values.settings.OTEL_TRACES_SAMPLER_ARG | quote }}
OTEL_RESOURCE_ATTRIBUTES: {{ .Values.settings.OTEL_RESOURCE_ATTRIBUTES | quote }}
{{- end -}}

{{- define "lobbystats.logs" -}}
LOG_LEVEL: {{ .Values.settings.LOG_LEVEL }}
LOG_FORMAT: json
{{- end -}}

{{/* Data of a real network must not be stored as the simulator's. */}}
{{- define "lobbystats.origin" -}}
{{- if and .Values.settings.NETWORK_URL (empty .Values.settings.NETWORK_ORIGIN) -}}
{{- fail "settings.NETWORK_ORIGIN must name the network that settings.NETWORK_URL points at" -}}
{{- end -}}
{{- if and .Values.settings.NETWORK_URL (ne .Values.settings.NETWORK_ORIGIN "simulated") (empty .Values.settings.COLLECTOR_CONTACT) -}}
{{- fail "settings.COLLECTOR_CONTACT must be a URL or an address at which the operator of the network reaches you" -}}
{{- end -}}
{{- .Values.settings.NETWORK_ORIGIN | default "simulated" -}}
{{- end -}}

{{- define "lobbystats.simulatorUrl" -}}
http://{{ include "lobbystats.host" (dict "root" . "name" "simulator") }}:8090
{{- end -}}

{{/* The simulator, unless the network is a real one: its demo accounts must not sign in there. */}}
{{- define "lobbystats.simulatorAlone" -}}
{{- if .Values.settings.NETWORK_URL -}} http://simulator.invalid:8090 {{- else -}} {{ include "lobbystats.simulatorUrl" . }} {{- end -}}
{{- end -}}

{{- define "lobbystats.network" -}}
NETWORK_URL: {{ .Values.settings.NETWORK_URL | default (include "lobbystats.simulatorUrl" .) | quote }}
NETWORK_PUBLIC_URL: {{ coalesce .Values.settings.NETWORK_PUBLIC_URL .Values.settings.NETWORK_URL "http://127.0.0.1:8090" | quote }}
{{- end -}}

{{- define "lobbystats.sessions" -}}
AUTH_URL: {{ .Values.settings.AUTH_URL | default (include "lobbystats.simulatorAlone" .) | quote }}
{{- end -}}

{{/* The anchor `administration`: of the init job and of operators. */}}
{{- define "lobbystats.administration" -}}
{{ include "lobbystats.logs" . }}
RABBITMQ_MANAGEMENT_URL: {{ .Values.rabbitmq.managementUrl | quote }}
RABBITMQ_ADMIN_USER: {{ .Values.rabbitmq.adminUser | quote }}
{{- with .Values.influxdb }}
INFLUXDB_URL: {{ join "," (compact (list .url .secondUrl)) | quote }}
{{- end }}
INFLUXDB_ORG: {{ .Values.influxdb.org | quote }}
INFLUX_TOKEN_DIRECTORY: /var/lib/lobbystats/tokens
MONGODB_URL: {{ .Values.mongodb.url | trimSuffix "/" }}{{ with .Values.mongodb.options }}/?{{ . }}{{ end }}
MONGODB_ADMIN_USER: {{ .Values.mongodb.adminUser | quote }}
GRAFANA_TOKEN_FILE: /var/lib/lobbystats/grafana-token/influxdb
{{- end -}}

{{- define "lobbystats.administratorSecrets" -}}
- RABBITMQ_ADMIN_PASSWORD
- RABBITMQ_COLLECTOR_PASSWORD
- RABBITMQ_SERIES_API_PASSWORD
- RABBITMQ_CATALOG_API_PASSWORD
- RABBITMQ_USER_API_PASSWORD
- RABBITMQ_REPUTATION_API_PASSWORD
- RABBITMQ_GATEWAY_PASSWORD
- RABBITMQ_DLQ_PASSWORD
- INFLUXDB_ADMIN_TOKEN
- MONGODB_ADMIN_PASSWORD
- MONGODB_COLLECTOR_PASSWORD
- MONGODB_CATALOG_API_PASSWORD
- MONGODB_USER_API_PASSWORD
- MONGODB_REPUTATION_API_PASSWORD
- ERASURE_KEY
{{- end -}}

{{- define "lobbystats.nginxEnvironment" -}}
CONNECTIONS_PER_ADDRESS: {{ include "lobbystats.text" .Values.settings.CONNECTIONS_PER_ADDRESS | quote }}
REAL_IP_FROM: {{ .Values.settings.REAL_IP_FROM | quote }}
RESOLVER: system
{{- end -}}
