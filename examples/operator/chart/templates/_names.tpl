{{- define "operator.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "operator.metadata" -}}
name: {{ .Release.Name }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "operator.selector" . | nindent 2 }}
{{- end }}

{{- /* Objects without a namespace share their names with those of all namespaces. */}}
{{- define "operator.clusterName" -}}
{{ .Release.Namespace }}.{{ .Release.Name }}
{{- end }}
