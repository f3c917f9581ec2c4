package cluster

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

const (
	adminToken       = "admin-token"
	controllersToken = "controllers-token"
	privateKey       = "service-accounts.key"
	publicKey        = "service-accounts.pub"
)

// tokens has everybody who isn't a service account. Alice and Bob may do what a test's roles say.
const tokens = adminToken + `,admin,admin,"system:masters"
` + controllersToken + `,system:kube-controller-manager,controllers,
alice-token,alice,alice,
bob-token,bob,bob,
`

// auditPolicy logs who asked for what, once for each answered request.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules:
- level: Metadata
`

// writeKeys makes the pair with which tokens of service accounts are signed.
func writeKeys(dir string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	blocks := map[string]*pem.Block{
		privateKey: {Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)},
		publicKey:  {Type: "PUBLIC KEY", Bytes: public},
	}
	for name, block := range blocks {
		if err := os.WriteFile(dir+"/"+name, pem.EncodeToMemory(block), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// writeKubeconfig is for whoever has the token, at the API server of this name.
func (c *Cluster) writeKubeconfig(path, server, token string) error {
	authority, err := os.ReadFile(c.file(server) + "/apiserver.crt")
	if err != nil {
		return err
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["test"] = &clientcmdapi.Cluster{Server: c.hosts[server], CertificateAuthorityData: authority}
	config.AuthInfos["test"] = &clientcmdapi.AuthInfo{Token: token}
	config.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "test", Namespace: "default"}
	config.CurrentContext = "test"
	return clientcmd.WriteToFile(*config, path)
}
