{{- define "larder.name" -}}
{{- if contains "larder" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-larder{{ end }}
{{- end }}

{{- define "larder.selector" -}}
app.kubernetes.io/name: larder
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "larder.labels" -}}
{{ include "larder.selector" . }}
app.kubernetes.io/component: catalogue
{{ include "larder.chart" . }}
{{- end }}

{{- define "larder.storePods" -}}
app.kubernetes.io/name: larder-redis
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "larder.storeSelector" -}}
{{ include "larder.storePods" . }}
app.kubernetes.io/component: shared-store
{{- end }}

{{- define "larder.storeLabels" -}}
{{ include "larder.storeSelector" . }}
{{ include "larder.chart" . }}
{{- end }}

{{- define "larder.chart" -}}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "larder.config" -}}
{{- if .Values.config }}{{ .Values.config }}
{{- else if .Values.sharedStore.enabled }}
{{- .Files.Get "files/shared-store/larder.yaml" | replace "@larder-redis:" (printf "@%s-redis:" (include "larder.name" .)) }}
{{- else }}{{ .Files.Get "files/larder.yaml" }}
{{- end }}
{{- end }}

{{- /* The name gets a hash of the content, so a changed config is rolled out like a changed image, and can be rolled back. */ -}}
{{- define "larder.configName" -}}
{{ include "larder.name" . }}-{{ include "larder.config" . | sha256sum | trunc 10 }}
{{- end }}

{{- define "larder.storeConfig" -}}
redis.conf: {{ .Files.Get "files/shared-store/redis.conf" | toJson }}
start.sh: {{ .Files.Get "files/shared-store/start.sh" | toJson }}
{{- end }}

{{- define "larder.storeConfigName" -}}
{{ include "larder.name" . }}-redis-{{ include "larder.storeConfig" . | sha256sum | trunc 10 }}
{{- end }}
