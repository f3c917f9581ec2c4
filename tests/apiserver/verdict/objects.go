package main

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	apiservervalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/operation"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/storage/names"
)

// A cause is one reason why the server refuses an object.
type cause struct {
	Field   string `json:"field"`
	Type    string `json:"type"`
	Message string `json:"message"`
}

func causes(errs field.ErrorList) (json.RawMessage, error) {
	found := []cause{}
	for _, err := range errs {
		found = append(found, cause{Field: err.Field, Type: string(err.Type), Message: err.ErrorBody()})
	}
	return encode(found)
}

// validate says what the server refuses of an object when it is created, after pruning and defaulting.
//
// Source: customResourceStrategy.Validate of pkg/registry/customresource/strategy.go, and what it calls in
// customResourceValidator.Validate, in their order. The scope is that of the object. There is no scale subresource.
func validate(asked question) (json.RawMessage, error) {
	object, schema, err := decoded(asked)
	if err != nil {
		return nil, err
	}
	// As rest.BeforeCreate of k8s.io/apiserver does.
	if object.GetName() == "" && object.GetGenerateName() != "" {
		object.SetName(names.SimpleNameGenerator.GenerateName(object.GetGenerateName()))
	}
	// By the rules that are declared at the fields of metadata, too, since 1.37.
	metadata, _, err := objectmeta.GetObjectMeta(object.Object, false)
	if err != nil {
		return nil, err
	}
	if metadata == nil {
		metadata = &metav1.ObjectMeta{}
	}
	errs := metavalidation.ValidateObjectMetaDeclaratively(context.Background(), operation.Create, metadata, nil,
		object.GetNamespace() != "", metavalidation.NameIsDNSSubdomain, field.NewPath("metadata"), true)
	invalid, err := againstSchema(asked, object.UnstructuredContent())
	if err != nil {
		return nil, err
	}
	errs = append(errs, invalid...)
	errs = append(errs, objectmeta.Validate(context.Background(), nil, object.Object, schema, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, schema, object.Object)...)
	return causes(withRules(errs, schema, object.Object, nil))
}

// fits says what the server refuses of a value by its schema alone.
func fits(asked question) (json.RawMessage, error) {
	var value any
	if err := utiljson.Unmarshal(asked.Object, &value); err != nil {
		return nil, err
	}
	errs, err := againstSchema(asked, value)
	if err != nil {
		return nil, err
	}
	return causes(errs)
}

func againstSchema(asked question, value any) (_ field.ErrorList, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	var v1 apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(asked.Schema, &v1); err != nil {
		return nil, err
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &internal, nil); err != nil {
		return nil, err
	}
	validator, _, err := apiservervalidation.NewSchemaValidator(&internal)
	if err != nil {
		return nil, err
	}
	return apiservervalidation.ValidateCustomResource(nil, value, validator), nil
}

// pruned says which fields of an object the server doesn't know.
func pruned(asked question) (json.RawMessage, error) {
	schema, err := schemaOf(asked)
	if err != nil {
		return nil, err
	}
	var value any
	if err := utiljson.Unmarshal(asked.Object, &value); err != nil {
		return nil, err
	}
	options := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	paths := pruning.PruneWithOptions(value, schema, true, options)
	return encode(paths)
}
