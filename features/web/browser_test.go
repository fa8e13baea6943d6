package web_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// stepTimeout is how long the browser may take for one step on a loaded machine.
const stepTimeout = time.Minute

// startTimeout is how long the browser may take to start.
const startTimeout = time.Minute

// tab is a tab of the browser in a test.
type tab struct {
	*testing.T
	ctx  context.Context
	base string // the folder of all pages
}

// startBrowser starts Chromium and returns its first tab: now and then a second one that is
// opened while the browser still starts never answers. A script that fails, or that a page
// must not run, fails the test.
func startBrowser(t *testing.T) tab {
	t.Helper()
	program := ""
	for _, name := range []string{os.Getenv("MEMCTL_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && program == "" {
			program = path
		}
	}
	if program == "" {
		t.Skip("no Chromium is installed; .ci/run installs it")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.NoSandbox, // tests may run as root
		chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("force-color-profile", "srgb"),
		chromedp.WindowSize(1180, 800),
	)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(ctx)
	late := time.AfterFunc(startTimeout, end)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", program, err)
	}
	late.Stop()
	done := make(chan struct{})
	t.Cleanup(func() {
		end()
		<-done
	})
	go func() {
		defer close(done)
		for message := range chromedp.Console(ctx) {
			if message.IsException() || message.Type == chromedp.ConsoleError && message.Source != "network" {
				t.Errorf("console: %s", message)
			}
		}
	}()
	return tab{T: t, ctx: ctx}.fresh()
}

// fresh makes the tab one of a person at a desk who reads English.
func (tb tab) fresh() tab {
	tb.Helper()
	tb.width(1180)
	tb.scheme("light")
	tb.language("en")
	return tb
}

// language sets the languages that the person prefers.
func (tb tab) language(header string) {
	tb.Helper()
	call(tb, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": header}})
}

// visit opens the first address of a server. The tab's later paths are below its base.
func (tb *tab) visit(first string) {
	tb.Helper()
	tb.do(chromedp.Navigate(first), chromedp.WaitVisible(css("#happened h1")))
	at := js[string](*tb, "location.href")
	if strings.Contains(at, "token") {
		tb.Errorf("the address still has the token: %s", at)
	}
	tb.base = strings.TrimSuffix(at, "/today")
	tb.open("/memories")
}

// scheme sets the colours that the system prefers.
func (tb tab) scheme(name string) {
	tb.Helper()
	call(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
}

// view is a way in which a page is looked at.
type view struct {
	lang, scheme string
	width        int64
}

func (v view) String() string { return fmt.Sprintf("%s-%s-%d", v.lang, v.scheme, v.width) }

// views are two of the views that differ in everything, and all of them in "make soak".
func views() (list []view) {
	if os.Getenv("MEMCTL_SOAK") == "" {
		return []view{{"en", "light", 1180}, {"ko", "dark", 360}}
	}
	for _, lang := range []string{"en", "ko"} {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{1180, 360} {
				list = append(list, view{lang, scheme, width})
			}
		}
	}
	return list
}

// as makes the tab one of a person with a view.
func (tb tab) as(v view) {
	tb.Helper()
	tb.language(v.lang)
	tb.scheme(v.scheme)
	tb.width(v.width)
}

// call sends a command of the browser's protocol.
func call[P, R any](tb tab, command cdp.Command[P, R], params P) {
	tb.Helper()
	ctx, cancel := tb.step()
	defer cancel()
	if _, err := chromedp.Call(ctx, command, params); err != nil {
		tb.Fatalf("%T: %v", params, err)
	}
}

// step returns a context in which one step runs.
func (tb tab) step() (context.Context, context.CancelFunc) {
	return context.WithTimeout(tb.ctx, stepTimeout)
}

// replaced says that the page refreshed itself between finding an element and using it. A person looks again, too.
func replaced(err error) bool {
	return err != nil && strings.Contains(err.Error(), "Could not find node with given id")
}

// do runs the steps.
func (tb tab) do(steps ...chromedp.Action[chromedp.Void]) {
	tb.Helper()
	for i, step := range steps {
		ctx, cancel := tb.step()
		err := chromedp.Do(ctx, step)
		if replaced(err) {
			err = chromedp.Do(ctx, step)
		}
		cancel()
		if err != nil {
			tb.picture("failed")
			tb.Fatalf("step %d: %v\n(the page: bin/screens/failed.png)", i+1, err)
		}
	}
}

// follow runs a step that leads to another page, and waits for that.
func (tb tab) follow(step chromedp.Action[chromedp.Void]) {
	tb.Helper()
	ctx, cancel := tb.step()
	defer cancel()
	_, err := chromedp.RunResponse(ctx, step)
	if replaced(err) {
		_, err = chromedp.RunResponse(ctx, step)
	}
	if err != nil {
		tb.picture("failed")
		tb.Fatalf("follow: %v", err)
	}
}

// js evaluates an expression on the page.
func js[T any](tb tab, expression string, options ...chromedp.EvaluateOption) T {
	tb.Helper()
	ctx, cancel := tb.step()
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, options...))
	if err != nil {
		tb.Fatalf("%s: %v", expression, err)
	}
	return value
}

func (tb tab) open(path string) {
	tb.Helper()
	tb.do(chromedp.Navigate(tb.base + path))
}

// width resizes the tab.
func (tb tab) width(pixels int64) {
	tb.Helper()
	tb.do(chromedp.EmulateViewport(pixels, 800))
}

// shot keeps a picture of the page for people to look at, in "make screens" and "make soak". It costs more than the test.
func (tb tab) shot(name string) []byte {
	tb.Helper()
	if os.Getenv("MEMCTL_SCREENS") == "" && os.Getenv("MEMCTL_SOAK") == "" {
		return nil
	}
	return tb.picture(name)
}

// picture keeps a picture of the page.
func (tb tab) picture(name string) []byte {
	tb.Helper()
	ctx, cancel := tb.step()
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		tb.Logf("no picture %s: %v", name, err)
		return nil
	}
	folder := filepath.Join("..", "..", "bin", "screens")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644); err != nil {
		tb.Fatal(err)
	}
	return picture
}
