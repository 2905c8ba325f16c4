//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

// Command bench measures the speed and size of a memory on this machine:
//
//	go run ./bench store --entries 1000,100000,1000000
//	go run ./bench embed --peers --onnx FILE --onnx-int8 FILE
//	go run ./bench vectors --n 10000,100000,1000000 --peers
//	go run ./bench eval --data DIR --pipeline all
//	go run ./bench data --entries 100000 --out entries.jsonl --queries queries.jsonl
//
// store prints a Markdown table of opening, saving, searching, deleting, memory
// and disk, each beside a floor that the same run measures. data writes the
// texts and questions, so that other engines can be measured on them. embed measures
// how texts become vectors, beside other engines as far as they are installed;
// with --check it compares a model with recorded vectors, with --sts with people's
// judgement of similarity. vectors measures exact nearest neighbours. eval measures
// how well queries find what judges found relevant, for several configurations.
//
// It is bound to the platforms where Pebble builds.
package main

// This file decides which measurement a command line asks for.

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// command is one measurement.
type command struct {
	name, short string
	run         func(ctx context.Context, args []string) error
}

func commands() []command {
	return []command{
		{"store", "saving, opening, searching: times, memory, disk", runStore},
		{"data", "write the generated texts and questions as JSON lines", runData},
		{"embed", "texts to vectors: speed, memory, accuracy, beside other engines", runEmbed},
		{"vectors", "exact nearest neighbours of vectors, beside other searches", runVectors},
		{"eval", "retrieval quality on sets of questions with judgements, of several configurations", runEval},
		{"scrub", "secrets found, false alarms and speed of scrubbing", runScrub},
		{"memory", "the memory of one process that ingests and queries (store starts it)", runMemory},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		for _, c := range commands() {
			if c.name == args[0] {
				return c.run(ctx, args[1:])
			}
		}
	}
	fmt.Fprintln(os.Stderr, "usage: bench COMMAND [flags]")
	for _, c := range commands() {
		fmt.Fprintf(os.Stderr, "  %-8s %s\n", c.name, c.short)
	}
	return flag.ErrHelp
}
