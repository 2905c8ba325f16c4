package main

// This file decides what the command says of itself.

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version returns the version that the build recorded, without opening
// anything.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	return fmt.Sprintf("contextforge %s %s %s/%s", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noOperands,
		RunE:  runs(func(context.Context, []string) error { return a.printf("%s\n", version()) }),
	}
}
