// Command cluster runs a whole control plane on loopback: etcd, one or several kube-apiservers with RBAC, all default admission and audit,
// and kube-controller-manager.
//
// It prints one line of JSON when everything is ready, or one with an error. Then it answers each line on standard input: a key prefix with what
// etcd has stored below it, and `restart NAME` with `{}` when that process is ready again. It ends when standard input does, or on SIGTERM.
//
// The servers are Kubernetes' own commands, in this program: it starts itself with their names.
package main

import (
	"flag"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"

	"github.com/crd-conv/crd-conv/tests/apiserver/internal/cluster"
	"github.com/crd-conv/crd-conv/tests/apiserver/internal/lines"
)

var commands = map[string]func() *cobra.Command{
	cluster.APIServer:         apiserver.NewAPIServerCommand,
	cluster.ControllerManager: controllers.NewControllerManagerCommand,
}

func main() {
	if len(os.Args) > 1 {
		if command := commands[os.Args[1]]; command != nil {
			os.Args = os.Args[1:]
			go endWithInput()
			os.Exit(cli.Run(command()))
		}
	}
	var options cluster.Options
	flag.IntVar(&options.APIServers, "apiservers", 1, "how many API servers, all on one etcd")
	flag.StringVar(&options.FeatureGates, "feature-gates", "", "such as A=true,B=false")
	flag.Parse()
	if err := run(options); err != nil {
		lines.Failed(err)
	}
}

// endWithInput ends a server that nobody needs any more, however its parent ended.
func endWithInput() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

func run(options cluster.Options) error {
	ctx, stop := lines.UntilSignal()
	defer stop()
	running, err := cluster.Start(ctx, options)
	if err != nil {
		return err
	}
	defer running.Stop()
	lines.Print(running)
	return lines.Serve(ctx, running.Failed, func(line string) (any, error) {
		if name, restart := strings.CutPrefix(line, "restart "); restart {
			return struct{}{}, running.Restart(ctx, name)
		}
		return running.Stored(ctx, line)
	})
}
