// Command apiserver runs the API server's own CustomResourceDefinition part on loopback, with etcd in the same process.
//
// It prints one line of JSON when it is ready, or one with an error. Then it answers each line on standard input, which is
// a key prefix, with one line of what etcd has stored below it. It ends when standard input does, or on SIGTERM.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

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
		print(map[string]string{"error": err.Error()})
		os.Exit(1)
	}
}

func run(options server.Options) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	running, err := server.Start(options)
	if err != nil {
		return err
	}
	defer running.Stop()
	print(ready{Host: running.Host, Kubeconfig: running.Kubeconfig, Prefix: server.StoragePrefix})

	lines := make(chan string)
	go func() {
		defer close(lines)
		input := bufio.NewScanner(os.Stdin)
		for input.Scan() {
			lines <- input.Text()
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-running.Failed:
			return fmt.Errorf("the server ended: %w", err)
		case prefix, more := <-lines:
			if !more {
				return nil
			}
			stored, err := running.Stored(ctx, prefix)
			if err != nil {
				return err
			}
			print(stored)
		}
	}
}

func print(value any) {
	// What is printed here are strings and numbers, and a reader that is gone needs no answer.
	_ = json.NewEncoder(os.Stdout).Encode(value)
}
