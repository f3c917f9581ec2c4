// Package lines talks to the tests: a line of JSON on standard output for each line on standard input.
package lines

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/signal"
	"syscall"
)

// Print prints a value.
func Print(value any) {
	// What is printed here are strings and numbers, and a reader that is gone needs no answer.
	_ = json.NewEncoder(os.Stdout).Encode(value)
}

// Failed says why there are no answers, and ends the program.
func Failed(err error) {
	Print(map[string]string{"error": err.Error()})
	os.Exit(1)
}

// UntilSignal is a context that ends on SIGTERM.
func UntilSignal() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
}

// Serve answers lines until standard input or the context ends, or something fails.
func Serve(ctx context.Context, failed <-chan error, answer func(line string) (any, error)) error {
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
		case err := <-failed:
			return err
		case line, more := <-lines:
			if !more {
				return nil
			}
			value, err := answer(line)
			if err != nil {
				return err
			}
			Print(value)
		}
	}
}
