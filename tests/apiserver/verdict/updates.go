package main

import (
	"context"
	"encoding/json"
	"errors"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	apiservervalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

// updates says what the server refuses of an object that replaces another one, after pruning and defaulting. Of the metadata
// it says nothing.
//
// Source: customResourceStrategy.ValidateUpdate of pkg/registry/customresource/strategy.go.
func updates(asked question) (json.RawMessage, error) {
	var pair struct {
		Old json.RawMessage `json:"old"`
		New json.RawMessage `json:"new"`
	}
	if err := json.Unmarshal(asked.Object, &pair); err != nil {
		return nil, err
	}
	old, schema, errOld := decoded(question{Schema: asked.Schema, Object: pair.Old})
	object, _, errNew := decoded(question{Schema: asked.Schema, Object: pair.New})
	if err := errors.Join(errOld, errNew); err != nil {
		return nil, err
	}
	internal, err := internalOf(asked)
	if err != nil {
		return nil, err
	}
	validator, _, err := apiservervalidation.NewSchemaValidator(internal)
	if err != nil {
		return nil, err
	}
	correlated := common.NewCorrelatedObject(object.Object, old.Object, &model.Structural{Structural: schema})
	errs := apiservervalidation.ValidateCustomResourceUpdate(nil, object.UnstructuredContent(), old.UnstructuredContent(), validator,
		apiservervalidation.WithRatcheting(correlated))
	errs = append(errs, objectmeta.Validate(context.Background(), nil, object.Object, schema, false)...)
	if len(listtype.ValidateListSetsAndMaps(nil, schema, old.Object)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, schema, object.Object)...)
	}
	return causes(withRules(errs, schema, object.Object, old.Object, cel.WithRatcheting(correlated)))
}

// withRules adds what the rules of CEL refuse. Without an old object there must be no options.
//
// Source: the end of both functions, and hasBlockingErr, which isn't exported.
func withRules(errs field.ErrorList, schema *structuralschema.Structural, object, old map[string]any, options ...cel.Option) field.ErrorList {
	validator := cel.NewValidator(schema, true, celconfig.PerCallLimit)
	if validator == nil {
		return errs
	}
	for _, err := range errs {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return append(errs, field.Invalid(nil, nil, "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"))
		}
	}
	var before any
	if old != nil {
		before = old
	}
	broken, _ := validator.Validate(context.Background(), nil, schema, object, before, celconfig.RuntimeCELCostBudget, options...)
	return append(errs, broken...)
}
