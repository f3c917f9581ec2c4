package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"
)

// A process is this program, which runs one of Kubernetes' commands.
type process struct {
	name      string
	command   string
	arguments []string
	log       string
	// ready is the URL that answers 200 when it is ready.
	ready string

	running *exec.Cmd
	ended   chan struct{}
	input   io.Closer
	stopped atomic.Bool
}

// start returns when the process is ready.
func (p *process) start(ctx context.Context, failed chan<- error) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	p.running = exec.Command(program, append([]string{p.command}, p.arguments...)...)
	p.running.Stdout, p.running.Stderr = log, log
	// However this process ends, that one ends with it: its standard input closes then.
	if p.input, err = p.running.StdinPipe(); err != nil {
		return err
	}
	if err := p.running.Start(); err != nil {
		return err
	}
	p.ended = make(chan struct{})
	p.stopped.Store(false)
	go func() {
		err := p.running.Wait()
		close(p.ended)
		if !p.stopped.Load() {
			select {
			case failed <- fmt.Errorf("%s ended: %v: %s", p.name, err, p.tail()):
			default:
			}
		}
	}()
	return p.waitUntilReady(ctx)
}

func (p *process) waitUntilReady(ctx context.Context) error {
	// Its certificate is its own, and nothing secret is asked.
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	client := &http.Client{Transport: transport, Timeout: 5 * time.Second}
	defer transport.CloseIdleConnections()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.ended:
			return fmt.Errorf("%s ended: %s", p.name, p.tail())
		case <-time.After(50 * time.Millisecond):
		}
		answer, err := client.Get(p.ready)
		if err != nil {
			continue
		}
		_ = answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return nil
		}
	}
	return errors.New(p.name + " isn't ready after two minutes: " + p.tail())
}

// stop ends the process, and returns when it has ended. Nothing that it holds is needed any more.
func (p *process) stop() {
	if p.ended == nil || p.stopped.Swap(true) {
		return
	}
	_ = p.running.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		_ = p.running.Process.Kill()
		<-p.ended
	}
	_ = p.input.Close()
}

// tail is the end of the log.
func (p *process) tail() string {
	const most = 2000
	text, _ := os.ReadFile(p.log)
	return string(text[max(0, len(text)-most):])
}
