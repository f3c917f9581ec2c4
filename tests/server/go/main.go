// Command go is a conversion webhook as authors of controllers in Go have it: typed objects behind controller-runtime's server.
//
// It takes a port of loopback and a directory with tls.crt and tls.key, and ends when its standard input does.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

func main() {
	if err := run(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: %s <port> <directory>", args[0])
	}
	port, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	group := schema.GroupVersion{Group: "example.com"}
	group.Version = "v1beta1"
	scheme.AddKnownTypeWithName(group.WithKind("CronTab"), &Older{})
	group.Version = "v1"
	scheme.AddKnownTypeWithName(group.WithKind("CronTab"), &Newer{})

	ctx, stop := context.WithCancel(context.Background())
	go func() {
		defer stop()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: args[2]})
	server.Register("/convert", conversion.NewWebhookHandler(scheme, conversion.NewRegistry()))
	return server.Start(ctx)
}
