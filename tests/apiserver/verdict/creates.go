package main

import (
	"context"
	"encoding/json"
	"fmt"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	schemaobjectmeta "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// A creation is an object as the server would store it, or why it refuses to.
type creation struct {
	Object json.RawMessage `json:"object,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// creates does with each of a list of objects what the server does when it is created: decodes it, fills in defaults, and validates
// it by its schema. It doesn't look at the object's metadata, nor at rules in CEL.
//
// Source: customResourceStrategy.Validate of pkg/registry/customresource/strategy.go.
func creates(asked question) (json.RawMessage, error) {
	schema, err := schemaOf(asked)
	if err != nil {
		return nil, err
	}
	if err := defaulting.PruneDefaults(schema); err != nil {
		return nil, err
	}
	internal, err := internalOf(asked)
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(internal)
	if err != nil {
		return nil, err
	}
	var objects []json.RawMessage
	if err := json.Unmarshal(asked.Object, &objects); err != nil {
		return nil, err
	}
	creations := make([]creation, len(objects))
	for i, object := range objects {
		stored, err := create(object, schema, validator)
		if err != nil {
			creations[i].Error = err.Error()
		} else {
			creations[i].Object = stored
		}
	}
	return json.Marshal(creations)
}

func create(body []byte, schema *structuralschema.Structural, validator validation.SchemaValidator) (_ json.RawMessage, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(body); err != nil {
		return nil, err
	}
	if err := coerce(object, schema); err != nil {
		return nil, err
	}
	defaulting.Default(object.UnstructuredContent(), schema)
	errs := validation.ValidateCustomResource(nil, object.UnstructuredContent(), validator)
	errs = append(errs, schemaobjectmeta.Validate(context.Background(), nil, object.Object, schema, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, schema, object.Object)...)
	if len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	return encode(object.Object)
}
