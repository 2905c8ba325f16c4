package measure

// This file decides what a result says of the machine it was measured on, and
// how a process's memory and processor time are read.

import (
	"bufio"
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Machine is what speeds depend on; it names no machine.
type Machine struct {
	CPU   string `json:"cpu,omitempty"` // model name, where the system tells it
	Cores int    `json:"cores"`
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	Go    string `json:"go"`
}

// ThisMachine describes the machine of the process.
func ThisMachine() Machine {
	return Machine{
		CPU: field("/proc/cpuinfo", "model name"), Cores: runtime.NumCPU(),
		OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(),
	}
}

// String puts the machine on one line.
func (m Machine) String() string {
	cpu := m.CPU
	if cpu == "" {
		cpu = "CPU unknown"
	}
	return cpu + ", " + strconv.Itoa(m.Cores) + " cores, " + m.OS + "/" + m.Arch + ", " + m.Go
}

// Resident returns the resident memory of this process in bytes: all of it, the
// part that is its own (heap and stacks, without the pages of the program file),
// and the peak of all; 0 where the system has no /proc.
func Resident() (now, own, peak int64) {
	read := func(name string) int64 { return kilobytes(field("/proc/self/status", name)) }
	return read("VmRSS"), read("RssAnon"), read("VmHWM")
}

func kilobytes(s string) int64 {
	n, err := strconv.ParseInt(strings.TrimSuffix(s, " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

// CPU returns the processor time that this process has used, in steps of 10 ms;
// 0 where the system has no /proc.
func CPU() time.Duration {
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	// The second field, a name in brackets, may hold anything; user and system
	// time are fields 14 and 15, in hundredths of a second on every Linux.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, errUser := strconv.ParseInt(fields[11], 10, 64)
	system, errSystem := strconv.ParseInt(fields[12], 10, 64)
	if errUser != nil || errSystem != nil {
		return 0
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

// field returns the value of the first "name: value" line of a file, "" when
// there is none.
func field(path, name string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		key, value, ok := strings.Cut(lines.Text(), ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
