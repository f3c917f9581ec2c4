package main

import (
	"context"
	"encoding/json"
	"fmt"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
)

// A request as admission sees it. Without an old object it creates one.
type request struct {
	User   string         `json:"user"`
	Object map[string]any `json:"object"`
	Old    map[string]any `json:"old"`
}

// admits says with which messages a ValidatingAdmissionPolicy, given as the schema, refuses a request, given as the object.
func admits(asked question) (json.RawMessage, error) {
	var policy admissionv1.ValidatingAdmissionPolicy
	if err := json.Unmarshal(asked.Schema, &policy); err != nil {
		return nil, err
	}
	var made request
	if err := json.Unmarshal(asked.Object, &made); err != nil {
		return nil, err
	}
	validator, err := compiled(&policy)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{Object: made.Object}
	kind := object.GroupVersionKind()
	resource := schema.GroupVersionResource{Group: kind.Group, Version: kind.Version, Resource: "things"}
	operation, old := admission.Create, runtime.Object(nil)
	if made.Old != nil {
		operation, old = admission.Update, &unstructured.Unstructured{Object: made.Old}
	}
	attributes := admission.NewAttributesRecord(object, old, kind, object.GetNamespace(), object.GetName(), resource, "",
		operation, nil, false, &user.DefaultInfo{Name: made.User})
	versioned := &admission.VersionedAttributes{
		Attributes: attributes, VersionedKind: kind,
		VersionedObject: admission.NewLazyObject(object), VersionedOldObject: admission.NewLazyObject(old),
	}
	result := validator.Validate(context.Background(), resource, versioned, nil, nil, celconfig.RuntimeCELCostBudget, nil)
	messages := []string{}
	for _, decision := range result.Decisions {
		if decision.Evaluation == validating.EvalError {
			return nil, fmt.Errorf("%s", decision.Message)
		}
		if decision.Action == validating.ActionDeny {
			messages = append(messages, decision.Message)
		}
	}
	return json.Marshal(messages)
}

// compiled is what the server's own plugin makes of a policy without parameters and match conditions.
func compiled(policy *admissionv1.ValidatingAdmissionPolicy) (validating.Validator, error) {
	compiler, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		return nil, err
	}
	declared := cel.OptionalVariableDeclarations{HasAuthorizer: true}
	var variables []cel.NamedExpressionAccessor
	for _, variable := range policy.Spec.Variables {
		variables = append(variables, &validating.Variable{Name: variable.Name, Expression: variable.Expression})
	}
	compiler.CompileAndStoreVariables(variables, declared, environment.NewExpressions)
	var conditions []cel.ExpressionAccessor
	for _, validation := range policy.Spec.Validations {
		conditions = append(conditions, &validating.ValidationCondition{
			Expression: validation.Expression, Message: validation.Message, Reason: validation.Reason,
		})
	}
	none := compiler.CompileCondition(nil, declared, environment.NewExpressions)
	return validating.NewValidator(
		compiler.CompileCondition(conditions, declared, environment.NewExpressions), nil, none, none,
		policy.Spec.FailurePolicy, nil,
	), nil
}
