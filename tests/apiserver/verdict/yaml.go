package main

import (
	"encoding/json"

	"sigs.k8s.io/yaml"
)

// readYAML reads a text as kubectl does.
//
// Source: YAMLToJSONDecoder of pkg/util/yaml/decoder.go in k8s.io/apimachinery.
func readYAML(asked question) (json.RawMessage, error) {
	var text string
	if err := json.Unmarshal(asked.Object, &text); err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON([]byte(text))
}
