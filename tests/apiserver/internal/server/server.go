// Package server runs etcd and the CustomResourceDefinition part of the API server in this process.
package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"
	apiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// StoragePrefix is where etcd has the custom resources: below it are group, plural, namespace and name.
const StoragePrefix = "/registry/apiextensions.kubernetes.io"

// Options of a server.
type Options struct {
	// Kubeconfig is a path to write to; by default it is in the server's own directory.
	Kubeconfig string
	// FeatureGates as the flag of the same name takes them.
	FeatureGates string
}

// Server is a running server.
type Server struct {
	// Host is its URL.
	Host string
	// Kubeconfig is where its only user's is.
	Kubeconfig string
	// Failed gets why the server ended by itself.
	Failed <-chan error

	dir    string
	store  *Store
	cancel context.CancelFunc
	ended  <-chan struct{}
}

// Start returns when the server answers.
func Start(wanted Options) (*Server, error) {
	dir, err := os.MkdirTemp("", "crd-conv-apiserver-")
	if err != nil {
		return nil, err
	}
	server := &Server{dir: dir, Kubeconfig: wanted.Kubeconfig}
	if server.Kubeconfig == "" {
		server.Kubeconfig = filepath.Join(dir, "kubeconfig")
	}
	if err := server.start(wanted.FeatureGates); err != nil {
		server.Stop()
		return nil, err
	}
	return server, nil
}

// Stored returns what etcd has below a prefix.
func (s *Server) Stored(ctx context.Context, prefix string) ([]Entry, error) {
	return s.store.Entries(ctx, prefix)
}

// Stop ends what runs and removes what it wrote.
func (s *Server) Stop() {
	if s.cancel != nil {
		s.cancel()
		<-s.ended
	}
	if s.store != nil {
		s.store.Stop()
	}
	_ = os.Remove(s.Kubeconfig)
	_ = os.RemoveAll(s.dir)
}

func (s *Server) start(gates string) (err error) {
	if s.store, err = StartEtcd(s.dir); err != nil {
		return err
	}
	generic, err := build(s.dir, s.store.Endpoint, gates)
	if err != nil {
		return err
	}
	client := generic.LoopbackClientConfig
	s.Host = client.Host
	s.run(generic)
	if err := s.waitUntilReady(client); err != nil {
		return err
	}
	return writeKubeconfig(s.Kubeconfig, client)
}

func (s *Server) run(generic *genericapiserver.GenericAPIServer) {
	ctx, cancel := context.WithCancel(context.Background())
	ended, failed := make(chan struct{}), make(chan error, 1)
	s.cancel, s.ended, s.Failed = cancel, ended, failed
	go func() {
		defer close(ended)
		if err := generic.PrepareRun().RunWithContext(ctx); err != nil {
			failed <- err
		}
	}()
}

func (s *Server) waitUntilReady(config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		select {
		case err := <-s.Failed:
			return fmt.Errorf("starting the server: %w", err)
		default:
		}
		status := 0
		// Informers of Services never sync here, where there are none.
		ready := client.CoreV1().RESTClient().Get().AbsPath("/readyz").Param("exclude", "informer-sync")
		ready.Do(context.Background()).StatusCode(&status)
		if status == 200 {
			return nil
		}
	}
	return errors.New("the server isn't ready after a minute")
}

// build makes the server from its own flags, as the plain binary does.
func build(dir, etcd, gates string) (*genericapiserver.GenericAPIServer, error) {
	// The server wants to know whom to ask for tokens and permissions. Here the only client is the loopback one, whom it
	// knows itself, so nobody is ever asked.
	nobody := filepath.Join(dir, "nobody.kubeconfig")
	if err := writeKubeconfig(nobody, &rest.Config{Host: "https://127.0.0.1:1"}); err != nil {
		return nil, err
	}
	flags := []string{
		"--etcd-servers=" + etcd,
		"--etcd-prefix=" + StoragePrefix,
		"--authentication-skip-lookup",
		"--authentication-kubeconfig=" + nobody,
		"--authorization-kubeconfig=" + nobody,
		"--kubeconfig=" + nobody,
		"--enable-priority-and-fairness=false",
		"--disable-admission-plugins=NamespaceLifecycle,MutatingAdmissionWebhook,ValidatingAdmissionWebhook," +
			"ValidatingAdmissionPolicy,MutatingAdmissionPolicy",
	}
	if gates != "" {
		flags = append(flags, "--feature-gates="+gates)
	}
	o := options.NewCustomResourceDefinitionsServerOptions(os.Stderr, os.Stderr)
	set := pflag.NewFlagSet("apiserver", pflag.ContinueOnError)
	o.AddFlags(set)
	if err := set.Parse(flags); err != nil {
		return nil, err
	}
	if err := o.ServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().(*net.TCPAddr)
	serving := o.RecommendedOptions.SecureServing
	serving.Listener, serving.BindPort, serving.ExternalAddress = listener, address.Port, address.IP
	serving.ServerCert.CertDirectory = dir
	if err := o.Complete(); err != nil {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	config, err := o.Config()
	if err != nil {
		return nil, err
	}
	definitions := openapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(generatedopenapi.GetOpenAPIDefinitions)
	namer := openapinamer.NewDefinitionNamer(apiserver.Scheme)
	config.GenericConfig.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(definitions, namer)
	config.ExtraConfig.ServiceResolver = onLoopback{}
	completed := config.Complete()
	// In a cluster the aggregator tells which groups there are. Here nobody else does, and kubectl asks.
	completed.GenericConfig.EnableDiscovery = true
	server, err := completed.New(genericapiserver.NewEmptyDelegate())
	if err != nil {
		return nil, err
	}
	return server.GenericAPIServer, nil
}

// onLoopback has each Service of webhooks at its own port of loopback. As in a cluster, its name is what the certificate has to
// be for, and HTTP/2 isn't offered, which it is to a URL on loopback.
type onLoopback struct{}

func (onLoopback) ResolveEndpoint(_, _ string, port int32) (*url.URL, error) {
	return &url.URL{Scheme: "https", Host: fmt.Sprintf("127.0.0.1:%d", port)}, nil
}

func writeKubeconfig(path string, client *rest.Config) error {
	config := clientcmdapi.NewConfig()
	config.Clusters["test"] = &clientcmdapi.Cluster{
		Server:                   client.Host,
		TLSServerName:            client.ServerName,
		CertificateAuthorityData: client.CAData,
	}
	config.AuthInfos["test"] = &clientcmdapi.AuthInfo{Token: client.BearerToken}
	config.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "test", Namespace: "default"}
	config.CurrentContext = "test"
	return clientcmd.WriteToFile(*config, path)
}
