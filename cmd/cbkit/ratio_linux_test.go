package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"cbkit/internal/stale"
	"cbkit/internal/testkit/gen"
	"cbkit/internal/testkit/must"
)

// packedGames are some thousand games of one move, packed by bzip2; what is packed
// like that may stand in a file as often as one likes.
const packedGames = "QlpoOTFBWSZTWfeU0FgD5//fgAAQUANkACIAEMoCZQ8AMAF4ACg0aNBkBoUGjRoMgNApVTRoNPUNAadwEquICVWQBKrIAlV9AJVagJVaAJVdAE" +
	"quQCpU5AJVeAEqsAJVYAVKmACVWYCVWAEqsAJVaAJVZAJVagKlTcAlVvAVKm4BUqYASqzASq2ASq1ASq8gJVegEqtgEqtACVX0BKr8AlV+ASq2" +
	"ASq2ASq/i7kinChIe8poLAA="

// Packed text takes 64 MB of memory and four times the longest record, however much
// of it comes.
func TestMemoryOfPackedText(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 60 MB")
	}
	if stale.Overwrites {
		t.Skip("the race detector has memory of its own")
	}
	t.Chdir(gen.Folder(t))
	stream := must.Get(base64.StdEncoding.DecodeString(packedGames))(t)
	const times = 40 // 32 MB
	save(t, "games.pgn.bz2", strings.Repeat(string(stream), times))
	var packed bytes.Buffer
	w := must.Get(zstd.NewWriter(&packed))(t)
	game := strings.Repeat("[Event \"A\"]\n[White \"X\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n", 16000)
	for range times {
		must.Get(w.Write([]byte(game)))(t)
	}
	must.Do(t, w.Close())
	save(t, "games.pgn.zst", packed.String())
	for _, name := range []string{"games.pgn.bz2", "games.pgn.zst"} {
		const most = 64 << 10
		used := 0
		for range 5 { // a peak goes by when garbage is collected, too: the least of a few counts
			cmd := exec.Command(os.Args[0], "find", "-q", name, "--player", "nobody")
			cmd.Env = append(os.Environ(), asProgram+"=yes")
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			must.Do(t, cmd.Start())
			peak := make(chan int)
			go func() { peak <- peakOf(cmd.Process.Pid) }()
			err := cmd.Wait()
			if !strings.Contains(out.String(), "nobody") {
				t.Errorf("%s: %s, %v", name, &out, err)
			}
			used = <-peak
			t.Logf("%s: %d KB", name, used)
			if used > 0 && used <= most {
				break
			}
		}
		if info, err := os.Stat(name); err != nil || info.Size() > 1<<20 || used == 0 || used > most {
			t.Errorf("%s: %d KB of memory; the file: %v, %v", name, used, info, err)
		}
	}
}

// peakOf returns how many KB of memory a process has had at once, when it ends. (What
// the system says afterwards counts the process that started it.)
func peakOf(pid int) (peak int) {
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, line, is := strings.Cut(string(status), "VmHWM:")
		if err != nil || !is {
			return peak
		}
		_, _ = fmt.Sscan(line, &peak)
		time.Sleep(5 * time.Millisecond)
	}
}
