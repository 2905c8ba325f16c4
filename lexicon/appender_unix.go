// This file decides what of a file's owner, of a folder's durability and of locks
// there is on Unix.

//go:build unix

package lexicon

import (
	"io/fs"
	"os"
	"runtime"
	"syscall"

	"github.com/gofrs/flock"
)

// lockFlag says how a lock file is opened: never through a symbolic link, which
// somebody else could have put there to have a file made elsewhere, and without
// waiting for the other end of a pipe.
func lockFlag() flock.Option {
	access := os.O_RDONLY
	switch runtime.GOOS {
	case "aix", "solaris", "illumos": // lock only what may be written
		access = os.O_RDWR
	}
	return flock.SetFlag(os.O_CREATE | access | syscall.O_NOFOLLOW | syscall.O_NONBLOCK)
}

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
