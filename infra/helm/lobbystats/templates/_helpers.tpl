{{/* Prefix of all object names. */}}
{{- define "lobbystats.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Host name of a service of this chart: dict "root" $ "name" "gateway". */}}
{{- define "lobbystats.host" -}}
{{- printf "%s-%s" (include "lobbystats.fullname" .root) .name -}}
{{- end -}}

{{/* The complete name, for nginx, whose resolver knows no search domains. */}}
{{- define "lobbystats.qualifiedHost" -}}
{{- printf "%s.%s.svc.%s" (include "lobbystats.host" .) .root.Release.Namespace .root.Values.clusterDomain -}}
{{- end -}}

{{- define "lobbystats.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "lobbystats.labels" -}}
{{ include "lobbystats.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* A value as text. Helm reads integers as floats, which would print as 1.34e+08. */}}
{{- define "lobbystats.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}{{ int64 . }}{{- else -}}{{ . }}{{- end -}}
{{- end -}}

{{/* A server's URL with a user: dict "url" "amqp://host" "user" "collector" "secret" "NAME". Kubernetes expands $(NAME). */}}
{{- define "lobbystats.urlOf" -}}
{{- .url | trimSuffix "/" | replace "://" (printf "://%s:$(%s)@" .user .secret) -}}
{{- end -}}

{{/* The URL of a service's database: dict "root" $ "user" "collector" "secret" "NAME" "database" "collector". */}}
{{- define "lobbystats.databaseUrl" -}}
{{- $url := include "lobbystats.urlOf" (dict "url" .root.Values.mongodb.url "user" .user "secret" .secret) -}}
{{- printf "%s/%s%s" $url .database (ternary "" (printf "?%s" .root.Values.mongodb.options) (empty .root.Values.mongodb.options)) -}}
{{- end -}}

{{- define "lobbystats.busUrl" -}}
{{- include "lobbystats.urlOf" (dict "url" .root.Values.rabbitmq.url "user" .user "secret" .secret) -}}/lobbystats
{{- with .root.Values.rabbitmq.options }}?{{ . }}{{ end -}}
{{- end -}}

{{/* Whether the simulator runs: always without a network of your own, as in docker-compose.yml. */}}
{{- define "lobbystats.isSimulated" -}}
{{- if or (empty .Values.settings.NETWORK_URL) .Values.simulator.always -}}true{{- end -}}
{{- end -}}

{{/* Of each replica of nginx. The kernel queues 4,096 connections that wait to be accepted. */}}
{{- define "lobbystats.connectionsPerGateway" -}}
{{- $replicas := 0 -}}
{{- range $name, $service := fromYaml (include "lobbystats.services" .) -}}
{{- if has "public" $service.networks -}}
{{- $replicas = add $replicas (max 1 (int (dig $name "replicas" $.Values.defaults.replicas $.Values.services))) -}}
{{- end -}}
{{- end -}}
{{- div 4000 $replicas -}}
{{- end -}}
