{{- define "servers.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/part-of: lobbystats
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Pods of the chart lobbystats that use a server: dict "root" $ "server" "rabbitmq". */}}
{{- define "servers.clients" -}}
{{- $pods := dict "matchLabels" (dict "app.kubernetes.io/name" "lobbystats" (printf "server.lobbystats/%s" .server) "true") -}}
{{- if .root.Values.networkPolicy.clients }}
{{- range .root.Values.networkPolicy.clients }}
- podSelector: {{ toJson $pods }}
  namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: {{ . }} } }
{{- end }}
{{- else }}
- podSelector: {{ toJson $pods }}
{{- end }}
{{- end -}}

{{- define "servers.influxdbNames" -}}
{{- range $instance := untilStep 1 (int (add1 .Values.influxdb.instances)) 1 }}
- {{ $.Values.prefix }}-influxdb{{ if gt $instance 1 }}-{{ $instance }}{{ end }}
{{- end }}
{{- end -}}
