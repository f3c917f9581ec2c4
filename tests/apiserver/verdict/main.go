// Command verdict says what the API server makes of schemas and objects. It reads one question a line, as JSON, and
// answers each with one line. All that it says comes from the API server's own packages.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// A question about an object, a schema, or both.
type question struct {
	Op     string          `json:"op"`
	Schema json.RawMessage `json:"schema"`
	Object json.RawMessage `json:"object"`
}

// An answer is what the server makes of the object, or why it refuses.
type answer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// operations by name.
var operations = map[string]func(question) (json.RawMessage, error){
	"reencode":   reencode,
	"prune":      prune,
	"dropNulls":  dropNulls,
	"default":    fillDefaults,
	"decode":     decode,
	"converted":  converted,
	"structural": structural,
	"definition": definition,
	"validate":   validate,
	"updates":    updates,
	"fits":       fits,
	"pruned":     pruned,
	"creates":    creates,
	"applies":    applies,
	"admits":     admits,
	"yaml":       readYAML,
	"costs":      costs,
}

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	questions, answers := json.NewDecoder(in), json.NewEncoder(out)
	for questions.More() {
		var asked question
		if err := questions.Decode(&asked); err != nil {
			return err
		}
		if err := answers.Encode(answerTo(asked)); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func answerTo(asked question) answer {
	operation, known := operations[asked.Op]
	if !known {
		return answer{Error: fmt.Sprintf("unknown operation %q", asked.Op)}
	}
	result, err := operation(asked)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Result: result}
}
