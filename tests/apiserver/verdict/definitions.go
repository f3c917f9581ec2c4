package main

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
)

// scheme knows CustomResourceDefinitions, with their defaults and conversions.
var scheme = func() *runtime.Scheme {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	return scheme
}()

var decoder = serializer.NewCodecFactory(scheme).UniversalDecoder(apiextensions.SchemeGroupVersion)

// A refusal is one of the server's errors.
type refusal struct {
	Path   string `json:"path"`
	Type   string `json:"type"`
	Detail string `json:"detail"`
}

// A verdict is what the server says about a CustomResourceDefinition that is created.
type verdict struct {
	Refusals []refusal `json:"refusals"`
	// Warnings are for the client. A refused definition has none.
	Warnings []string `json:"warnings"`
}

// definition says what the server refuses of a CustomResourceDefinition when it is created, or what it warns about.
//
// Source: createHandler of pkg/endpoints/handlers/create.go and BeforeCreate of pkg/registry/rest/create.go in k8s.io/apiserver, and
// Create of pkg/storage/etcd3/store.go.
//
// The validation panics on some paths to fields and on rules inside some int-or-strings, which the server answers with an internal error.
func definition(asked question) (_ json.RawMessage, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v", reason)
		}
	}()
	object, _, err := decoder.Decode(asked.Object, nil, nil)
	if err != nil {
		return nil, err
	}
	crd := object.(*apiextensions.CustomResourceDefinition)
	rest.WipeObjectMetaSystemFields(crd)
	// It is in no namespace.
	crd.Namespace = ""
	rest.FillObjectMetaSystemFields(crd)
	strategy := customresourcedefinition.NewStrategy(scheme)
	strategy.PrepareForCreate(context.Background(), crd)
	refusals := []refusal{}
	for _, err := range strategy.Validate(context.Background(), crd) {
		refusals = append(refusals, refusal{Path: err.Field, Type: string(err.Type), Detail: err.Detail})
	}
	if version, err := (storage.APIObjectVersioner{}).ObjectResourceVersion(crd); err == nil && version != 0 {
		detail := storage.ErrResourceVersionSetOnCreate.Error()
		refusals = append(refusals, refusal{Path: "metadata.resourceVersion", Detail: detail})
	}
	warnings := []string{}
	if len(refusals) == 0 {
		warnings = append(warnings, strategy.WarningsOnCreate(context.Background(), crd)...)
	}
	return json.Marshal(verdict{Refusals: refusals, Warnings: warnings})
}
