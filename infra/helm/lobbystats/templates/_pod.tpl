{{/*
The pod of a service or of the init job: dict "root" $ "name" "gateway" "service" (its data) "values" (of .Values.services).
Hardened as x-contained of docker-compose.yml.
*/}}
{{- define "lobbystats.podMetadata" -}}
labels:
  {{- include "lobbystats.selectorLabels" .root | nindent 2 }}
  app.kubernetes.io/component: {{ .name }}
  {{- range .service.networks }}
  network.lobbystats/{{ . }}: 'true'
  {{- end }}
  {{- range .service.servers }}
  server.lobbystats/{{ . }}: 'true'
  {{- end }}
  {{- with .values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- $isNginx := eq (.service.image | default "") "nginx" }}
{{- if or $isNginx .values.podAnnotations }}
annotations:
  {{- if $isNginx }}
  # nginx reads its files once: a change replaces the pods.
  checksum/nginx: {{ include "lobbystats.nginxFiles" .root | sha256sum }}
  {{- end }}
  {{- with .values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "lobbystats.podSpec" -}}
{{- $root := .root -}}
{{- $isNginx := eq (.service.image | default "") "nginx" -}}
{{- $image := ternary $root.Values.nginx.image $root.Values.image $isNginx -}}
{{- $user := ternary 101 1000 $isNginx -}}
# No pod needs the Kubernetes API.
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $root.Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
# preStop, STOP_TIMEOUT_MS, and the rest of a stop.
terminationGracePeriodSeconds: {{ add 20 (ceil (divf $root.Values.settings.STOP_TIMEOUT_MS 1000)) }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ $user }}
  runAsGroup: {{ $user }}
  fsGroup: {{ $user }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
  {{- if and $isNginx (semverCompare ">=1.32.0-0" $root.Capabilities.KubeVersion.Version) }}
  # Safe since Kubernetes 1.32. Socket buffers count as the container's memory.
  sysctls:
    - { name: net.ipv4.tcp_wmem, value: 4096 16384 262144 }
    - { name: net.ipv4.tcp_rmem, value: 4096 65536 131072 }
  {{- end }}
containers:
  - name: {{ .name }}
    image: "{{ $image.repository }}{{ with $image.digest }}@{{ . }}{{ else }}:{{ $image.tag | default $root.Chart.AppVersion }}{{ end }}"
    imagePullPolicy: {{ $image.pullPolicy }}
    {{- if .service.tool }}
    # Until the pod is deleted. `kubectl exec` runs the operators' commands.
    command: [bash, -c, trap exit TERM; sleep infinity & wait]
    {{- else }}
    command: {{ toJson .service.command }}
    {{- end }}
    securityContext:
      readOnlyRootFilesystem: true
      allowPrivilegeEscalation: false
      privileged: false
      capabilities: { drop: [ALL] }
    {{- with include "lobbystats.env" . }}
    {{- . | trim | nindent 4 }}
    {{- end }}
    {{- with .service.ports }}
    ports:
      {{- range $port, $number := . }}
      - { name: {{ $port }}, containerPort: {{ $number }}, protocol: TCP }
      {{- end }}
    {{- end }}
    {{- with include "lobbystats.probes" .service }}
    {{- . | trim | nindent 4 }}
    {{- end }}
    resources:
      {{- toYaml .values.resources | nindent 6 }}
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      {{- if $isNginx }}
      - { name: nginx, mountPath: /etc/lobbystats, readOnly: true }
      {{- end }}
      {{- range .service.mounts }}
      - {{ toJson . }}
      {{- end }}
volumes:
  # Memory, which counts as the container's.
  - name: tmp
    emptyDir: { medium: Memory, sizeLimit: 64Mi }
  {{- if $isNginx }}
  - name: nginx
    configMap:
      name: {{ include "lobbystats.host" (dict "root" $root "name" "nginx") }}
  {{- end }}
  {{- range .service.mounts }}
  {{- include "lobbystats.volume" (dict "root" $root "name" .name) | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Secrets come first: Kubernetes expands $(NAME) only of variables above. */}}
{{- define "lobbystats.env" -}}
{{- $secret := .root.Values.existingSecret -}}
{{- if or .service.env .service.secrets .service.optionalSecrets }}
env:
  {{- range .service.secrets }}
  - name: {{ . }}
    valueFrom:
      secretKeyRef: { name: {{ $secret }}, key: {{ . }} }
  {{- end }}
  {{- range .service.optionalSecrets }}
  - name: {{ . }}
    valueFrom:
      secretKeyRef: { name: {{ $secret }}, key: {{ . }}, optional: true }
  {{- end }}
  {{- range $name, $value := .service.env }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
  {{- with .values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- end -}}

{{/*
A pod is added to its Service once its dependencies answer (/readyz), as docker-compose.yml starts containers. Later only /healthz counts:
during a failure of a server all replicas would otherwise be removed, although they still serve what they can.
*/}}
{{- define "lobbystats.probes" -}}
{{- if .startPath }}
startupProbe:
  httpGet: { path: {{ .startPath }}, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 120
readinessProbe:
  httpGet: { path: {{ .alivePath | default "/healthz" }}, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
livenessProbe:
  httpGet: { path: {{ .alivePath | default "/healthz" }}, port: http }
  periodSeconds: 10
  timeoutSeconds: 15
  failureThreshold: 6
{{- else if .ports }}
readinessProbe:
  tcpSocket: { port: {{ keys .ports | sortAlpha | first }} }
  periodSeconds: 5
  timeoutSeconds: 5
livenessProbe:
  tcpSocket: { port: {{ keys .ports | sortAlpha | first }} }
  periodSeconds: 10
  timeoutSeconds: 15
  failureThreshold: 6
{{- end }}
{{- if .ports }}
# Requests still arrive until kube-proxy and nginx have noticed that the pod ends.
lifecycle:
  preStop:
    exec: { command: [sleep, '10'] }
{{- end }}
{{- end -}}

{{- define "lobbystats.volume" -}}
{{- $values := .root.Values -}}
{{- $claim := include "lobbystats.host" . -}}
- name: {{ .name }}
{{- if has .name (list "tokens" "grafana-token") }}
  {{- if $values.tokens.existingSecret }}
  secret:
    secretName: {{ $values.tokens.existingSecret }}
    defaultMode: 0440
    items:
      {{- if eq .name "tokens" }}
      - { key: series-api, path: series-api }
      {{- if $values.influxdb.secondUrl }}
      - { key: series-api-2, path: series-api-2 }
      {{- end }}
      {{- else }}
      - { key: grafana, path: influxdb }
      {{- end }}
  {{- else }}
  persistentVolumeClaim:
    claimName: {{ ternary $values.tokens.existingClaim $values.tokens.grafanaExistingClaim (eq .name "tokens") | default $claim }}
  {{- end }}
{{- else if eq .name "certificate" }}
  {{- include "lobbystats.certificate" $values.tls.secretName | nindent 2 }}
{{- else if eq .name "analysts-certificate" }}
  {{- include "lobbystats.certificate" $values.analysts.tls.secretName | nindent 2 }}
{{- else if eq .name "exports" }}
  persistentVolumeClaim:
    claimName: {{ $values.export.existingClaim | default $claim }}
{{- else if eq .name "backups" }}
  {{- if or $values.backups.existingClaim $values.backups.size }}
  persistentVolumeClaim:
    claimName: {{ $values.backups.existingClaim | default $claim }}
  {{- else }}
  emptyDir: {}
  {{- end }}
{{- end }}
{{- end -}}

{{/* A Secret of the type kubernetes.io/tls, as cert-manager writes it, with the file names of infra/nginx. */}}
{{- define "lobbystats.certificate" -}}
secret:
  secretName: {{ . }}
  defaultMode: 0440
  items:
    - { key: tls.crt, path: cert.pem }
    - { key: tls.key, path: key.pem }
{{- end -}}
