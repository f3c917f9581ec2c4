package server

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3client"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// Entry is one key of etcd.
type Entry struct {
	Key         string `json:"key"`
	Value       string `json:"value"`
	ModRevision int64  `json:"modRevision"`
}

// Store is a running etcd.
type Store struct {
	// Endpoint is its address, for the flags of API servers.
	Endpoint string

	etcd   *embed.Etcd
	client *clientv3.Client
}

// StartEtcd listens on a unix socket in a directory.
func StartEtcd(dir string) (*Store, error) {
	config := embed.NewConfig()
	config.Dir = filepath.Join(dir, "etcd")
	config.LogLevel = "error"
	config.LogOutputs = []string{"stderr"}
	config.UnsafeNoFsync = true
	socket := url.URL{Scheme: "unix", Path: filepath.Join(dir, "etcd.sock")}
	// Where there is one member, nobody asks it for its address, but it must have the form of one.
	unused := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{socket}, unused
	config.ListenPeerUrls, config.AdvertisePeerUrls = unused, unused
	config.InitialCluster = config.InitialClusterFromName(config.Name)

	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return nil, fmt.Errorf("starting etcd: %w", err)
	}
	select {
	case <-etcd.Server.ReadyNotify():
	case err := <-etcd.Err():
		etcd.Close()
		return nil, fmt.Errorf("starting etcd: %w", err)
	case <-time.After(time.Minute):
		etcd.Close()
		return nil, errors.New("etcd isn't ready after a minute")
	}
	return &Store{Endpoint: socket.String(), etcd: etcd, client: v3client.New(etcd.Server)}, nil
}

// Entries returns what is stored below a prefix.
func (s *Store) Entries(ctx context.Context, prefix string) ([]Entry, error) {
	answer, err := s.client.Get(ctx, prefix, clientv3.WithPrefix())
	if err != nil {
		return nil, fmt.Errorf("reading %q from etcd: %w", prefix, err)
	}
	entries := make([]Entry, 0, len(answer.Kvs))
	for _, kv := range answer.Kvs {
		entries = append(entries, Entry{Key: string(kv.Key), Value: string(kv.Value), ModRevision: kv.ModRevision})
	}
	return entries, nil
}

// Stop ends it.
func (s *Store) Stop() {
	_ = s.client.Close()
	s.etcd.Close()
}
