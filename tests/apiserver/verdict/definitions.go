package main

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
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

// definition says what the server refuses of a CustomResourceDefinition when it is created.
//
// Unlike PrepareForCreate of pkg/registry/customresourcedefinition/strategy.go it keeps a status, to have it validated too.
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
	// As rest.BeforeCreate of k8s.io/apiserver does for what is in no namespace.
	crd.Namespace = ""
	refusals := []refusal{}
	for _, err := range validation.ValidateCustomResourceDefinition(context.Background(), crd) {
		refusals = append(refusals, refusal{Path: err.Field, Type: string(err.Type), Detail: err.Detail})
	}
	return json.Marshal(refusals)
}
