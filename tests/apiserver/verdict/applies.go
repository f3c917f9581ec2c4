package main

import (
	"encoding/json"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

// applies says whether server-side apply can read an object: null, or why not. The object is a `Thing` of `example.com/v1`.
//
// Source: buildOpenAPIModelsForApply of pkg/apiserver/customresource_handler.go, and Apply of structuredMergeManager of
// k8s.io/apimachinery/pkg/util/managedfields/internal.
func applies(asked question) (json.RawMessage, error) {
	var schema apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(asked.Schema, &schema); err != nil {
		return nil, err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{Spec: apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "example.com",
		Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList"},
		Scope: apiextensionsv1.NamespaceScoped,
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
			Name: "v1", Served: true, Storage: true,
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &schema},
		}},
	}}
	models, err := builder.BuildOpenAPIV3(crd, "v1", builder.Options{})
	if err != nil {
		return nil, err
	}
	converter, err := managedfields.NewTypeConverter(models.Components.Schemas, false)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(asked.Object); err != nil {
		return nil, err
	}
	if _, err := converter.ObjectToTyped(object); err != nil {
		return encode(err.Error())
	}
	return json.RawMessage("null"), nil
}
