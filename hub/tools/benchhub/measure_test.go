package benchhub

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"memctl/features/hub/remote"
	"memctl/hub"

	"github.com/jackc/pgx/v5"
)

// ticks is how many units of /proc/PID/stat a second has.
const ticks = 100

// results is how many memories an answer has.
const results = 10

// measured has the answers to all prompts and what they cost.
type measured struct {
	prompts   []prompt
	paths     [][]string
	took      []time.Duration
	processor float64 // ms of PostgreSQL a prompt
	own       float64 // ms of this process, which is the service, a prompt
	loading   time.Duration
	rate      float64 // prompts a second
}

// measure asks all prompts once, by a client for each connection, on connections that nothing was asked
// on before: a service has many, and restarts. The processor time is read through dsn.
func measure(
	ctx context.Context, dsn, asked string, by hub.Principal, o hub.Options, prompts []prompt,
) (measured, error) {
	m := measured{prompts: prompts, paths: make([][]string, len(prompts)), took: make([]time.Duration, len(prompts))}
	store, err := hub.Open(ctx, asked, o)
	if err != nil {
		return m, err
	}
	defer store.Close()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return m, err
	}
	defer conn.Close(ctx)
	start := time.Now()
	if !o.WeighAll {
		if err := store.KeepPostings(ctx); err != nil {
			return m, err
		}
		runtime.GC()
	}
	m.loading = time.Since(start)
	ownBefore := ownTime()
	before, err := processorTicks(ctx, conn)
	if err != nil {
		return m, err
	}
	start = time.Now()
	order := rand.New(rand.NewSource(1)).Perm(len(prompts))
	if err := each(int(o.MaxConns), order, func(i int) error {
		start := time.Now()
		found, err := store.Search(ctx, by, remote.Query{Query: prompts[i].text, Limit: results})
		m.took[i] = time.Since(start)
		for _, r := range found.Results {
			m.paths[i] = append(m.paths[i], r.Path)
		}
		return err
	}); err != nil {
		return m, err
	}
	m.rate = float64(len(prompts)) / time.Since(start).Seconds()
	after, err := processorTicks(ctx, conn)
	m.processor = float64(after-before) * 1000 / ticks / float64(len(prompts))
	m.own = float64((ownTime() - ownBefore).Microseconds()) / 1000 / float64(len(prompts))
	return m, err
}

// truth returns the answers to prompts if every memory that a person sees is weighed.
func truth(ctx context.Context, dsn string, by hub.Principal, prompts []prompt) (m measured, err error) {
	file := ""
	if folder := os.Getenv("MEMCTL_HUB_TRUTH"); folder != "" {
		file = filepath.Join(folder, by.Person+".json")
		if data, err := os.ReadFile(file); err == nil {
			m.prompts = prompts
			return m, json.Unmarshal(data, &m.paths)
		}
	}
	if m, err = measure(ctx, dsn, dsn, by, hub.Options{MaxConns: 2, WeighAll: true}, prompts); err != nil || file == "" {
		return m, err
	}
	data, err := json.Marshal(m.paths)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	return m, err
}

// each calls fn with each number, by several clients at once.
func each(clients int, numbers []int, fn func(int) error) error {
	queue := make(chan int, len(numbers))
	for _, n := range numbers {
		queue <- n
	}
	close(queue)
	errs := make([]error, clients)
	var group sync.WaitGroup
	for i := range clients {
		group.Go(func() {
			for n := range queue {
				if errs[i] = fn(n); errs[i] != nil {
					return
				}
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// processorTicks returns the processor time of the PostgreSQL processes that serve the
// database, 0 if they are on another machine.
func processorTicks(ctx context.Context, conn *pgx.Conn) (int64, error) {
	rows, err := conn.Query(ctx, `
		SELECT pid
		FROM pg_stat_activity
		WHERE datname = current_database()
			AND backend_type = 'client backend'`)
	if err != nil {
		return 0, err
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	if err != nil {
		return 0, err
	}
	var sum int64
	for _, pid := range pids {
		data, err := os.ReadFile("/proc/" + strconv.Itoa(int(pid)) + "/stat")
		if err != nil {
			return 0, nil
		}
		// https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
		fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		for _, field := range fields[11:13] { // utime, stime
			n, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				return 0, err
			}
			sum += n
		}
	}
	return sum, nil
}

// ownTime returns the processor time of this process.
func ownTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it fails for another process alone
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// percentile returns how many milliseconds the fastest p percent of the prompts of a kind, or of all,
// took at most.
func (m measured) percentile(kind string, p int) float64 {
	var list []time.Duration
	for i, took := range m.took {
		if kind == "" || m.prompts[i].kind == kind {
			list = append(list, took)
		}
	}
	slices.Sort(list)
	return float64(list[(len(list)-1)*p/100].Microseconds()) / 1000
}

// overlap returns the share of the memories in the answers of all that were found, too.
func (m measured) overlap(kind string, all measured) float64 {
	found, wanted := 0, 0
	for i, paths := range all.paths {
		if m.prompts[i].kind != kind {
			continue
		}
		wanted += len(paths)
		for _, path := range paths {
			if slices.Contains(m.paths[i], path) {
				found++
			}
		}
	}
	return float64(found) / float64(max(1, wanted))
}

// reciprocal returns the mean of one by the place at which the memory was found that a prompt of a kind was made of.
func (m measured) reciprocal(kind string) float64 {
	sum, count := 0.0, 0
	for i, p := range m.prompts {
		if p.kind != kind {
			continue
		}
		count++
		if at := slices.Index(m.paths[i], p.path); at >= 0 {
			sum += 1 / float64(at+1)
		}
	}
	return sum / float64(max(1, count))
}
