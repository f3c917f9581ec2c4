// Package cluster runs etcd in this process, and Kubernetes' own commands beside it.
package cluster

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/crd-conv/crd-conv/tests/apiserver/internal/server"
)

// Names of the processes; those of further API servers end in their number, from 2 on.
const (
	APIServer         = "kube-apiserver"
	ControllerManager = "kube-controller-manager"
)

// Options of a cluster.
type Options struct {
	APIServers   int
	FeatureGates string
}

// Cluster is a running one. Its JSON tells where everything is.
type Cluster struct {
	// Kubeconfigs are those of the administrator, for each API server.
	Kubeconfigs []string `json:"kubeconfigs"`
	// Kubeconfig is the first of them.
	Kubeconfig string `json:"kubeconfig"`
	// Prefix is where etcd has the custom resources: below it are group, plural, namespace and name.
	Prefix string `json:"prefix"`
	// Audit is where the first API server's audit log is.
	Audit string `json:"audit"`
	// Failed gets why a process ended by itself.
	Failed chan error `json:"-"`

	dir       string
	store     *server.Store
	hosts     map[string]string
	processes map[string]*process
}

// Start returns when all API servers and the controllers are ready.
func Start(ctx context.Context, options Options) (*Cluster, error) {
	dir, err := os.MkdirTemp("", "crd-conv-cluster-")
	if err != nil {
		return nil, err
	}
	c := &Cluster{
		Prefix:    "/registry",
		Audit:     filepath.Join(dir, "audit.log"),
		Failed:    make(chan error, 1),
		dir:       dir,
		hosts:     map[string]string{},
		processes: map[string]*process{},
	}
	if err := c.start(ctx, options); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

// Stored returns what etcd has below a prefix.
func (c *Cluster) Stored(ctx context.Context, prefix string) ([]server.Entry, error) {
	return c.store.Entries(ctx, prefix)
}

// Restart ends a process, starts it again, and returns when it is ready. With an API server the controllers restart, which end when they lose
// theirs while they start.
func (c *Cluster) Restart(ctx context.Context, name string) error {
	processes := []*process{c.processes[name]}
	if processes[0] == nil {
		return errors.New("there is no process of this name")
	}
	if name != ControllerManager {
		processes = append(processes, c.processes[ControllerManager])
	}
	for _, process := range slices.Backward(processes) {
		process.stop()
	}
	for _, process := range processes {
		if err := process.start(ctx, c.Failed); err != nil {
			return err
		}
	}
	return nil
}

// Stop ends what runs and removes what it wrote.
func (c *Cluster) Stop() {
	// The controllers first: without an API server they would log that for a while.
	for name, process := range c.processes {
		if name == ControllerManager {
			process.stop()
		}
	}
	for _, process := range c.processes {
		process.stop()
	}
	if c.store != nil {
		c.store.Stop()
	}
	_ = os.RemoveAll(c.dir)
}

func (c *Cluster) start(ctx context.Context, options Options) (err error) {
	if c.store, err = server.StartEtcd(c.dir); err != nil {
		return err
	}
	if err := writeKeys(c.dir); err != nil {
		return err
	}
	if err := os.WriteFile(c.file("tokens.csv"), []byte(tokens), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(c.file("audit.yaml"), []byte(auditPolicy), 0o600); err != nil {
		return err
	}
	for number := 1; number <= options.APIServers; number++ {
		if err := c.startAPIServer(ctx, number, options.FeatureGates); err != nil {
			return err
		}
	}
	return c.startControllers(ctx, options.FeatureGates)
}

func (c *Cluster) startAPIServer(ctx context.Context, number int, gates string) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	name := APIServer
	if number > 1 {
		name += "-" + strconv.Itoa(number)
	}
	host := "https://127.0.0.1:" + strconv.Itoa(port)
	c.hosts[name] = host
	arguments := []string{
		"--etcd-servers=" + c.store.Endpoint,
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none",
		"--secure-port=" + strconv.Itoa(port),
		"--cert-dir=" + c.file(name),
		"--service-cluster-ip-range=10.0.0.0/24",
		"--authorization-mode=RBAC",
		"--token-auth-file=" + c.file("tokens.csv"),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + c.file(publicKey),
		"--service-account-signing-key-file=" + c.file(privateKey),
		"--allow-privileged=true",
	}
	if number == 1 {
		arguments = append(arguments,
			"--audit-policy-file="+c.file("audit.yaml"), "--audit-log-path="+c.Audit, "--audit-log-mode=blocking")
	}
	process := &process{name: name, command: APIServer, arguments: withGates(arguments, gates), log: c.file(name + ".log"), ready: host + "/readyz"}
	c.processes[name] = process
	if err := process.start(ctx, c.Failed); err != nil {
		return err
	}
	kubeconfig := c.file("kubeconfig-" + strconv.Itoa(number))
	c.Kubeconfigs = append(c.Kubeconfigs, kubeconfig)
	c.Kubeconfig = c.Kubeconfigs[0]
	return c.writeKubeconfig(kubeconfig, name, adminToken)
}

func (c *Cluster) startControllers(ctx context.Context, gates string) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	kubeconfig := c.file("controllers.kubeconfig")
	if err := c.writeKubeconfig(kubeconfig, APIServer, controllersToken); err != nil {
		return err
	}
	arguments := []string{
		"--kubeconfig=" + kubeconfig,
		"--authentication-kubeconfig=" + kubeconfig,
		"--authorization-kubeconfig=" + kubeconfig,
		"--bind-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(port),
		"--cert-dir=" + c.file(ControllerManager),
		"--service-account-private-key-file=" + c.file(privateKey),
		"--root-ca-file=" + filepath.Join(c.file(APIServer), "apiserver.crt"),
		"--use-service-account-credentials=true",
		"--leader-elect=false",
	}
	process := &process{
		name: ControllerManager, command: ControllerManager, arguments: withGates(arguments, gates),
		log: c.file(ControllerManager + ".log"), ready: "https://127.0.0.1:" + strconv.Itoa(port) + "/healthz",
	}
	c.processes[ControllerManager] = process
	return process.start(ctx, c.Failed)
}

func (c *Cluster) file(name string) string {
	return filepath.Join(c.dir, name)
}

func withGates(arguments []string, gates string) []string {
	if gates == "" {
		return arguments
	}
	return append(arguments, "--feature-gates="+gates)
}

// freePort is one that nobody has now: the commands take none that is already listened to.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
