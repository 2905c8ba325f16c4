package main

// This file decides how entries leave the store as JSON Lines.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge"
)

func (a *app) exportCommand() *cobra.Command {
	var f filterFlags
	cmd := &cobra.Command{
		Use:   "export [FILE|-]",
		Short: "Write entries as JSON Lines, oldest first",
		Long: `Write entries as JSON Lines, oldest first, to FILE or stdout, with everything that
import needs to restore them; earlier versions (history) are not among it. A file
appears whole or not at all.`,
		Args: operands("FILE", 0, 1),
	}
	f.add(cmd.Flags())
	cmd.RunE = runs(func(ctx context.Context, args []string) error {
		filter, err := f.filter()
		if err != nil {
			return err
		}
		return a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
			if len(args) == 0 || args[0] == "-" {
				_, err := export(ctx, m, filter, a.out)
				return err
			}
			n := 0
			err := writeFile(args[0], func(w io.Writer) (err error) {
				n, err = export(ctx, m, filter, w)
				return err
			})
			if err != nil {
				return err
			}
			return a.printf("exported %s to %s\n", entries(n), visible(args[0]))
		})
	})
	return cmd
}

// exportRef is the place of an entry in an export.
type exportRef struct {
	time time.Time
	id   string
}

// export writes what the filter takes, oldest first, then by id. It holds the
// ids, not the entries.
func export(ctx context.Context, m *contextforge.Memory, f contextforge.Filter, w io.Writer) (int, error) {
	var refs []exportRef
	for e, err := range m.List(ctx, f) {
		if err != nil {
			return 0, err
		}
		refs = append(refs, exportRef{e.Timestamp, e.ID})
	}
	slices.SortFunc(refs, func(a, b exportRef) int {
		if c := a.time.Compare(b.time); c != 0 {
			return c
		}
		return strings.Compare(a.id, b.id)
	})
	n := 0
	for _, ref := range refs {
		e, err := m.Get(ctx, ref.id)
		if errors.Is(err, contextforge.ErrNotFound) {
			continue // its time was up in the meantime
		}
		if err != nil {
			return n, err
		}
		text, err := json.Marshal(e)
		if err != nil {
			return n, err
		}
		if _, err := w.Write(append(harmlessJSON(text), '\n')); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// writeFile writes a file that only its owner can read, and puts it in place
// once it is complete and on the disk. What is no regular file, such as a pipe,
// is written to directly.
func writeFile(name string, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(writeBuffered(f, write), f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.tmp")
	if err != nil {
		return fmt.Errorf("%s can't be written: %w", name, causeOf(err))
	}
	err = writeBuffered(f, write)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// causeOf leaves out the name of the temporary file, which says nothing.
func causeOf(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func writeBuffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}
