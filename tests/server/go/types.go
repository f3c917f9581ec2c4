package main

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

// Argument of a job; both versions have it.
type Argument struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
	Set   bool   `json:"set"`
}

// Older is v1beta1.
type Older struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OlderSpec `json:"spec"`
}

// OlderSpec is its only stanza.
type OlderSpec struct {
	Arguments []Argument `json:"arguments,omitempty"`
	CronSpec  string     `json:"cronSpec"`
	HostPort  string     `json:"hostPort"`
	Image     *string    `json:"image,omitempty"`
}

// Newer is v1.
type Newer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              NewerSpec `json:"spec"`
}

// NewerSpec is its only stanza.
type NewerSpec struct {
	Arguments    []Argument `json:"arguments,omitempty"`
	Schedule     string     `json:"schedule"`
	Host         string     `json:"host"`
	Port         string     `json:"port"`
	Image        *string    `json:"image,omitempty"`
	HistoryLimit int32      `json:"historyLimit"`
}

// Hub says that all others convert to and from it.
func (*Newer) Hub() {}

// ConvertTo the newer version.
func (o *Older) ConvertTo(hub conversion.Hub) error {
	newer := hub.(*Newer)
	host, port, found := strings.Cut(o.Spec.HostPort, ":")
	if !found {
		return fmt.Errorf("expected `host:port`")
	}
	newer.ObjectMeta = o.ObjectMeta
	newer.Spec = NewerSpec{
		Arguments: o.Spec.Arguments, Schedule: o.Spec.CronSpec, Host: host, Port: port, Image: o.Spec.Image, HistoryLimit: 3,
	}
	return nil
}

// ConvertFrom the newer version.
func (o *Older) ConvertFrom(hub conversion.Hub) error {
	newer := hub.(*Newer)
	o.ObjectMeta = newer.ObjectMeta
	o.Spec = OlderSpec{
		Arguments: newer.Spec.Arguments, CronSpec: newer.Spec.Schedule,
		HostPort: newer.Spec.Host + ":" + newer.Spec.Port, Image: newer.Spec.Image,
	}
	return nil
}

// DeepCopyObject for runtime.Object.
func (o *Older) DeepCopyObject() runtime.Object {
	out := *o
	out.ObjectMeta = *o.ObjectMeta.DeepCopy()
	out.Spec.Arguments = slices.Clone(o.Spec.Arguments)
	return &out
}

// DeepCopyObject for runtime.Object.
func (n *Newer) DeepCopyObject() runtime.Object {
	out := *n
	out.ObjectMeta = *n.ObjectMeta.DeepCopy()
	out.Spec.Arguments = slices.Clone(n.Spec.Arguments)
	return &out
}
