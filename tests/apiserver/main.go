// Command apiserver runs the API server's own CustomResourceDefinition part on loopback, with etcd in the same process.
//
// It prints one line of JSON when it is ready, or one with an error. Then it answers each line on standard input, which is
// a key prefix, with one line of what etcd has stored below it. It ends when standard input does, or on SIGTERM.
package main

import (
	"flag"
	"fmt"

	"github.com/crd-conv/crd-conv/tests/apiserver/internal/lines"
	"github.com/crd-conv/crd-conv/tests/apiserver/internal/server"
)

type ready struct {
	Host       string `json:"host"`
	Kubeconfig string `json:"kubeconfig"`
	Prefix     string `json:"prefix"`
}

func main() {
	var options server.Options
	flag.StringVar(&options.Kubeconfig, "kubeconfig", "", "where to write a kubeconfig for the server")
	flag.StringVar(&options.FeatureGates, "feature-gates", "", "such as A=true,B=false")
	flag.Parse()
	if err := run(options); err != nil {
		lines.Failed(err)
	}
}

func run(options server.Options) error {
	ctx, stop := lines.UntilSignal()
	defer stop()
	running, err := server.Start(options)
	if err != nil {
		return err
	}
	defer running.Stop()
	lines.Print(ready{Host: running.Host, Kubeconfig: running.Kubeconfig, Prefix: server.StoragePrefix})
	err = lines.Serve(ctx, running.Failed, func(prefix string) (any, error) {
		return running.Stored(ctx, prefix)
	})
	if err != nil {
		return fmt.Errorf("the server ended: %w", err)
	}
	return nil
}
