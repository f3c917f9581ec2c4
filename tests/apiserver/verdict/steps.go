package main

import (
	"bytes"
	"encoding/json"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// schemaOf makes of a schema what the server makes of a version's.
func schemaOf(asked question) (*structuralschema.Structural, error) {
	internal, err := internalOf(asked)
	if err != nil {
		return nil, err
	}
	return structuralschema.NewStructural(internal)
}

// internalOf reads a schema as it stands in a CustomResourceDefinition of v1.
func internalOf(asked question) (*apiextensions.JSONSchemaProps, error) {
	var v1 apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(asked.Schema, &v1); err != nil {
		return nil, err
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &internal, nil); err != nil {
		return nil, err
	}
	return &internal, nil
}

// structural says whether a schema is a structural one.
func structural(asked question) (json.RawMessage, error) {
	schema, err := schemaOf(asked)
	if err != nil {
		return nil, err
	}
	if errs := structuralschema.ValidateStructural(field.NewPath("schema"), schema); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	return json.RawMessage("true"), nil
}

func reencode(asked question) (json.RawMessage, error) {
	var value any
	if err := utiljson.Unmarshal(asked.Object, &value); err != nil {
		return nil, err
	}
	return encode(value)
}

// encode writes as the server's serializers do.
func encode(value any) (json.RawMessage, error) {
	var out bytes.Buffer
	if err := json.NewEncoder(&out).Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// step lets one of the server's functions change a value.
func step(asked question, change func(any, *structuralschema.Structural)) (json.RawMessage, error) {
	schema, err := schemaOf(asked)
	if err != nil {
		return nil, err
	}
	var value any
	if err := utiljson.Unmarshal(asked.Object, &value); err != nil {
		return nil, err
	}
	change(value, schema)
	return encode(value)
}

func prune(asked question) (json.RawMessage, error) {
	return step(asked, func(value any, schema *structuralschema.Structural) {
		pruning.Prune(value, schema, true)
	})
}

func dropNulls(asked question) (json.RawMessage, error) {
	return step(asked, defaulting.PruneNonNullableNullsWithoutDefaults)
}

func fillDefaults(asked question) (json.RawMessage, error) {
	return step(asked, defaulting.Default)
}

// decode does what the server does with a request's body, and with an object from its storage.
//
// Source: unstructuredNegotiatedSerializer.DecoderToVersion and crdConversionRESTOptionsGetter of
// pkg/apiserver/customresource_handler.go: decode, coerce, default.
func decode(asked question) (json.RawMessage, error) {
	object, _, err := decoded(asked)
	if err != nil {
		return nil, err
	}
	return encode(object.Object)
}

func decoded(asked question) (*unstructured.Unstructured, *structuralschema.Structural, error) {
	object, schema, err := coerced(asked)
	if err != nil {
		return nil, nil, err
	}
	defaulting.Default(object.UnstructuredContent(), schema)
	return object, schema, nil
}

// converted does what the server does with a conversion webhook's result.
//
// Source: schemaCoercingConverter of pkg/apiserver/customresource_handler.go. There is no defaulting.
func converted(asked question) (json.RawMessage, error) {
	object, _, err := coerced(asked)
	if err != nil {
		return nil, err
	}
	return encode(object.Object)
}

func coerced(asked question) (*unstructured.Unstructured, *structuralschema.Structural, error) {
	schema, err := schemaOf(asked)
	if err != nil {
		return nil, nil, err
	}
	if err := defaulting.PruneDefaults(schema); err != nil {
		return nil, nil, err
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(asked.Object); err != nil {
		return nil, nil, err
	}
	if err := coerce(object, schema); err != nil {
		return nil, nil, err
	}
	return object, schema, nil
}

// coerce is unstructuredSchemaCoercer.apply of pkg/apiserver/customresource_handler.go, which isn't exported.
func coerce(object *unstructured.Unstructured, schema *structuralschema.Structural) error {
	kind, foundKind, err := unstructured.NestedString(object.UnstructuredContent(), "kind")
	if err != nil {
		return err
	}
	apiVersion, foundVersion, err := unstructured.NestedString(object.UnstructuredContent(), "apiVersion")
	if err != nil {
		return err
	}
	meta, foundMeta, err := objectmeta.GetObjectMeta(object.Object, false)
	if err != nil {
		return err
	}
	pruning.Prune(object.Object, schema, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(object.Object, schema)
	if err := objectmeta.Coerce(nil, object.Object, schema, false, false); err != nil {
		return err
	}
	if foundKind {
		object.SetKind(kind)
	}
	if foundVersion {
		object.SetAPIVersion(apiVersion)
	}
	if foundMeta {
		return objectmeta.SetObjectMeta(object.Object, meta)
	}
	return nil
}
