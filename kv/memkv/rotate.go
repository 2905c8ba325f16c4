// This file decides how the log is replaced by a snapshot, and how a copy of
// the store is written.

package memkv

import (
	"context"
	"errors"
	"fmt"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/internal/ackmark"
)

// A log is replaced once it is larger than minRotate and than twice the data.
const minRotate = 4 << 20

// snapshotChunk is the size from which a snapshot's record is closed.
const snapshotChunk = 256 << 10

// rotateIfOutgrown replaces the log if it costs more than the data it tells
// about. The commit that triggers it is already durable.
func (f *folder) rotateIfOutgrown(st *state) error {
	_, bytes := st.usage()
	if f.logBytes < minRotate || f.logBytes < 2*bytes {
		return nil
	}
	return f.rotate(context.Background(), st)
}

// rotate writes the current state as the next generation and removes the
// present one.
func (f *folder) rotate(ctx context.Context, st *state) error {
	if f.failed != nil {
		return f.failed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &generationWriter{files: f.files, dir: f.dir, generation: f.generation + 1, sequence: f.sequence}
	if err := w.write(ctx, st.freeze()); err != nil {
		w.abandon()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return f.fail(err)
	}
	old := f.generation
	if f.log != nil {
		_ = f.log.Close()
	}
	f.generation, f.log, f.logBytes, f.snapshotBytes = w.generation, w.log, w.logBytes, w.snapshotBytes
	f.synced = true
	if f.ack != nil {
		f.mark.Acknowledged = f.sequence
		if err := f.writeMark(); err != nil {
			return f.fail(err)
		}
	}
	if old == 0 {
		return nil
	}
	return f.removeGeneration(old)
}

// removeGeneration deletes an older generation: deleted values must be gone
// when Compact returns, so a failure counts.
func (f *folder) removeGeneration(generation uint64) error {
	err := errors.Join(f.files.Remove(f.path(snapshotName(generation))),
		f.files.Remove(f.path(logName(generation))), f.files.SyncDir(f.dir))
	if err != nil {
		return f.fail(err)
	}
	return nil
}

// generationWriter creates the two files of a generation.
type generationWriter struct {
	files         fileSystem
	dir           string
	generation    uint64
	sequence      uint64
	log           file
	logBytes      int64
	snapshotBytes int64
}

func (w *generationWriter) path(name string) string { return (&folder{dir: w.dir}).path(name) }

func (w *generationWriter) temporary() string {
	return w.path(snapshotName(w.generation) + ".tmp")
}

// write makes the generation durable. The rename is what makes it valid, so
// its log has to be there before.
func (w *generationWriter) write(ctx context.Context, t *tree) error {
	if err := w.writeSnapshot(ctx, t); err != nil {
		return err
	}
	if err := w.createLog(); err != nil {
		return err
	}
	if err := w.files.SyncDir(w.dir); err != nil {
		return err
	}
	if err := w.files.Rename(w.temporary(), w.path(snapshotName(w.generation))); err != nil {
		return err
	}
	return w.files.SyncDir(w.dir)
}

// abandon removes what a failed write left, as far as the disk allows.
func (w *generationWriter) abandon() {
	if w.log != nil {
		_ = w.log.Close()
	}
	_ = w.files.Remove(w.temporary())
}

func (w *generationWriter) createLog() (err error) {
	if w.log, err = w.files.Create(w.path(logName(w.generation))); err != nil {
		return err
	}
	header := appendFrame(nil, w.sequence, tagged(logMagic, w.generation))
	if _, err := w.log.WriteAt(header, 0); err != nil {
		return err
	}
	w.logBytes = int64(len(header))
	return w.log.Sync()
}

func (w *generationWriter) writeSnapshot(ctx context.Context, t *tree) (err error) {
	out, err := w.files.Create(w.temporary())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	emit := func(payload []byte) error {
		frame := appendFrame(nil, w.sequence, payload)
		_, err := out.WriteAt(frame, w.snapshotBytes)
		w.snapshotBytes += int64(len(frame))
		return errors.Join(err, ctx.Err())
	}
	if err := emit(tagged(snapshotMagic, w.generation)); err != nil {
		return err
	}
	if err := emitEntries(t, emit); err != nil {
		return err
	}
	if err := emit(tagged(endMagic, uint64(t.Len()))); err != nil {
		return err
	}
	return out.Sync()
}

// emitEntries emits all entries in batches.
func emitEntries(t *tree, emit func([]byte) error) error {
	var chunk []byte
	var err error
	t.Scan(func(e entry) bool {
		chunk = appendChange(chunk, kindSet, e.key, e.value)
		if len(chunk) >= snapshotChunk {
			err = emit(chunk)
			chunk = chunk[:0]
		}
		return err == nil
	})
	if err == nil && len(chunk) > 0 {
		err = emit(chunk)
	}
	return err
}

// writeCheckpoint writes t into dir as a folder of its own.
func writeCheckpoint(ctx context.Context, files fileSystem, dir string, t *tree, sequence uint64) error {
	if err := prepareEmpty(files, dir); err != nil {
		return fmt.Errorf("memkv: checkpoint: %w", err)
	}
	w := &generationWriter{files: files, dir: dir, generation: 1, sequence: sequence}
	if err := w.write(ctx, t); err != nil {
		w.abandon()
		return fmt.Errorf("memkv: checkpoint into %s: %w", dir, err)
	}
	f := &folder{files: files, dir: dir, mark: ackmark.Mark{Acknowledged: sequence}}
	ack, err := files.Create(f.path(markName))
	if err == nil {
		f.ack = ack
		err = errors.Join(f.writeMark(), ack.Sync(), ack.Close(), files.SyncDir(dir))
	}
	if err = errors.Join(err, w.log.Close()); err != nil {
		return fmt.Errorf("memkv: checkpoint into %s: %w", dir, err)
	}
	return nil
}

// prepareEmpty creates dir, or checks that nothing is in it.
func prepareEmpty(files fileSystem, dir string) error {
	if err := files.MkdirAll(dir); err != nil {
		return err
	}
	entries, err := files.List(dir)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("folder %s is not empty: %w", dir, kv.ErrForeign)
	}
	return nil
}
