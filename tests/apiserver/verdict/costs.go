package main

import (
	"encoding/json"
	"math/bits"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// An estimate is what the server estimates for a rule, or why it can't compile it.
type estimate struct {
	Path  string `json:"path"`
	Cost  uint64 `json:"cost"`
	Error string `json:"error"`
}

// costs says what the server estimates for each rule of a schema.
//
// Source: ValidateCustomResourceDefinitionOpenAPISchema and getExpressionCost of pkg/apis/apiextensions/validation.
func costs(asked question) (json.RawMessage, error) {
	schema, err := internalOf(asked)
	if err != nil {
		return nil, err
	}
	estimates := []estimate{}
	if err := estimateAll(nil, schema, validation.RootCELContext(schema), &estimates); err != nil {
		return nil, err
	}
	return encode(estimates)
}

func estimateAll(path *field.Path, schema *apiextensions.JSONSchemaProps, context *validation.CELSchemaContext, estimates *[]estimate) error {
	if len(schema.XValidations) > 0 {
		info, err := context.TypeInfo()
		if err != nil {
			return err
		}
		results, err := cel.Compile(info.Schema, info.DeclType, celconfig.PerCallLimit,
			environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), cel.NewExpressionsEnvLoader())
		if err != nil {
			return err
		}
		for i, result := range results {
			own := estimate{Path: path.Child("x-kubernetes-validations").Index(i).Child("rule").String()}
			if result.Error != nil {
				own.Error = result.Error.Error()
			} else {
				count := result.MaxCardinality
				if context.MaxCardinality != nil {
					count = *context.MaxCardinality
				}
				own.Cost = product(result.MaxCost, count)
			}
			*estimates = append(*estimates, own)
		}
	}
	for name, property := range schema.Properties {
		if err := estimateAll(path.Child("properties").Key(name), &property, context.ChildPropertyContext(&property, name), estimates); err != nil {
			return err
		}
	}
	if values := schema.AdditionalProperties; values != nil && values.Schema != nil {
		if err := estimateAll(path.Child("additionalProperties"), values.Schema, context.ChildAdditionalPropertiesContext(values.Schema), estimates); err != nil {
			return err
		}
	}
	if items := schema.Items; items != nil && items.Schema != nil {
		return estimateAll(path.Child("items"), items.Schema, context.ChildItemsContext(items.Schema), estimates)
	}
	return nil
}

func product(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high != 0 {
		return 1<<64 - 1
	}
	return low
}
