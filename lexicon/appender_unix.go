// This file decides what of a file's owner and of a folder's durability there is
// on Unix.

//go:build unix

package lexicon

import (
	"io/fs"
	"os"
	"syscall"
)

// takeOwner gives a file the owner and group of another. Only root may do so with
// the owner, and others only with groups of their own: as with an editor, the
// file then belongs to whoever wrote it.
func takeOwner(file *os.File, like fs.FileInfo) {
	if stat, ok := like.Sys().(*syscall.Stat_t); ok {
		if file.Chown(int(stat.Uid), int(stat.Gid)) != nil {
			_ = file.Chown(-1, int(stat.Gid))
		}
	}
}

func (osFiles) SyncDir(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
