// Servers that are slow, endless, cut off, or elsewhere; and what is left behind.

package openai

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// cutOff announces more than it sends and closes the connection hard.
func cutOff(w http.ResponseWriter, _ *http.Request) {
	connection, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(connection, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{\"choices\":[")
	if tcp, ok := connection.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	connection.Close()
}

// drip sends a byte now and then until the client is gone.
func drip(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		_, _ = io.WriteString(w, " ")
		_ = http.NewResponseController(w).Flush()
		time.Sleep(2 * time.Millisecond)
	}
}

func silent(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func silentBody(w http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(w, `{"choices":`)
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

func huge(w http.ResponseWriter, r *http.Request) {
	chunk := strings.Repeat("[", 64<<10)
	for r.Context().Err() == nil {
		if _, err := io.WriteString(w, chunk); err != nil {
			return
		}
	}
}

// bomb is small on the wire and a gigabyte when it is decompressed.
func bomb(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	chunk := make([]byte, 1<<20)
	for range 1 << 10 {
		if _, err := z.Write(chunk); err != nil {
			return
		}
	}
	_ = z.Close()
}

func notGzip(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	_, _ = io.WriteString(w, document)
}

func notHTTP(w http.ResponseWriter, _ *http.Request) {
	connection, _, _ := w.(http.Hijacker).Hijack()
	_, _ = io.WriteString(connection, "SSH-2.0-OpenSSH_9.6\r\n")
	connection.Close()
}

func TestMisbehaviour(t *testing.T) {
	tests := []struct {
		name string
		step http.HandlerFunc
		err  error
		also error
	}{
		{"row 138: timeout before the headers", silent, ErrTransport, context.DeadlineExceeded},
		{"timeout in the body", silentBody, ErrTransport, context.DeadlineExceeded},
		{"drip", drip, ErrTransport, context.DeadlineExceeded},
		{"reset in the body", cutOff, ErrTransport, nil},
		{"not gzip", notGzip, ErrTransport, nil},
		{"not HTTP", notHTTP, ErrTransport, nil},
		{"huge body", huge, ErrTooLarge, nil},
		{"gzip bomb", bomb, ErrTooLarge, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			f := newFake(t, tt.step)
			o := f.options()
			o.Timeout = time.Minute
			if tt.also != nil {
				o.Timeout = 60 * time.Millisecond
			}
			o.MaxResponseBytes = 1 << 20
			c := client(t, o)
			got, err := c.Distill(context.Background(), transcript)
			checkOutcome(t, got, err, tt.err)
			if tt.also != nil && !errors.Is(err, tt.also) {
				t.Errorf("%v isn't %v", err, tt.also)
			}
			if n := f.connections.Load(); n != 1 || len(f.requests()) != 1 {
				t.Errorf("%d connections, %d requests", n, len(f.requests()))
			}
			c.CloseIdleConnections()
			f.Close()
			quiet(t, before)
		})
	}
}

func TestNobodyListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	_, err = client(t, Options{BaseURL: "http://" + address, Model: "m", Retries: -1}).Distill(context.Background(), transcript)
	var refused *net.OpError
	if !errors.Is(err, ErrTransport) || !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
}

func TestHugeErrorPage(t *testing.T) {
	f := newFake(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(404); huge(w, r) })
	o := f.options()
	o.MaxResponseBytes = 1000
	_, err := client(t, o).Distill(context.Background(), transcript)
	var status *StatusError
	if !errors.As(err, &status) || len(status.Message) > maxQuoted+10 {
		t.Errorf("%v", err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	other := newFake(t, replies(document))
	f := newFake(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/x", http.StatusTemporaryRedirect)
	})
	o := f.options()
	o.APIKey = testKey
	_, err := client(t, o).Distill(context.Background(), transcript)
	if len(other.requests()) != 0 {
		t.Error("the redirect was followed")
	}
	if err == nil || !strings.Contains(err.Error(), "isn't followed: to "+other.URL) {
		t.Errorf("%v", err)
	}
}

// Answers of every sort leave the connection for the next request.
func TestConnectionReuse(t *testing.T) {
	before := runtime.NumGoroutine()
	f := newFake(t, sends(500, strings.Repeat("x", 100_000)), sends(200, "{}"), sends(401, "no"), replies(document))
	c := client(t, f.options())
	for range 5 {
		_, _ = c.Distill(context.Background(), transcript)
	}
	if len(f.requests()) != 6 || f.connections.Load() != 1 {
		t.Errorf("%d requests on %d connections", len(f.requests()), f.connections.Load())
	}
	c.CloseIdleConnections()
	if _, err := c.Distill(context.Background(), transcript); err != nil || f.connections.Load() != 2 {
		t.Errorf("after closing: %v, %d connections", err, f.connections.Load())
	}
	c.CloseIdleConnections()
	f.Close()
	quiet(t, before)
}

func TestTLS(t *testing.T) {
	f := &fake{steps: []http.HandlerFunc{replies(document)}}
	f.Server = httptest.NewUnstartedServer(f)
	f.Config.ErrorLog = discardLog()
	f.EnableHTTP2 = true
	f.StartTLS()
	t.Cleanup(f.Close)
	if _, err := client(t, f.options()).Distill(context.Background(), transcript); !errors.Is(err, ErrTransport) {
		t.Errorf("an unknown certificate: %v", err)
	}
	var unknown x509.UnknownAuthorityError
	if _, err := client(t, f.options()).Distill(context.Background(), transcript); !errors.As(err, &unknown) {
		t.Errorf("an unknown certificate: %v", err)
	}
	o := f.options()
	roots := x509.NewCertPool()
	roots.AddCert(f.Certificate())
	o.TLS = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	got, err := client(t, o).Distill(context.Background(), transcript)
	checkOutcome(t, got, err, nil)
}

func TestProxy(t *testing.T) {
	target, _ := url.Parse("http://model.invalid/v1")
	proxy := newFake(t, replies(document))
	o := proxy.options()
	o.BaseURL = target.String()
	o.Proxy = func(r *http.Request) (*url.URL, error) {
		if r.URL.Host != target.Host {
			t.Errorf("asked for %s", r.URL.Host)
		}
		return url.Parse(proxy.URL)
	}
	got, err := client(t, o).Distill(context.Background(), transcript)
	checkOutcome(t, got, err, nil)

	o.Proxy = func(*http.Request) (*url.URL, error) { return nil, errors.New(`bad proxy "http://eve:hunter22@proxy"`) }
	_, err = client(t, o).Distill(context.Background(), transcript)
	if err == nil || strings.Contains(err.Error(), "hunter22") {
		t.Errorf("%v", err)
	}
}

// None is asked for unless Proxy says so.
func TestNoProxyFromEnvironment(t *testing.T) {
	if transport := newTransport(Options{}); transport.Proxy != nil {
		t.Error("a proxy is chosen without being asked for")
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answering(body string) roundTripper {
	return func(r *http.Request) (*http.Response, error) {
		_, _ = io.Copy(io.Discard, r.Body)
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	}
}

func TestTransportOfCaller(t *testing.T) {
	c := client(t, Options{BaseURL: "https://model.invalid/v1", Model: "m", Transport: answering(envelopeOf(document, "stop"))})
	got, err := c.Distill(context.Background(), transcript)
	if err != nil || !reflect.DeepEqual(got, wanted()) {
		t.Errorf("%+v, %v", got, err)
	}
	c.CloseIdleConnections() // the transport has none
}

// What a browser makes of a redirect.
func TestStatusZero(t *testing.T) {
	withheld := roundTripper(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 0, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	})
	_, err := client(t, Options{BaseURL: "https://model.invalid/v1", Model: "m", Transport: withheld}).Distill(context.Background(), transcript)
	var status *StatusError
	if !errors.As(err, &status) || !strings.Contains(err.Error(), "redirect") {
		t.Errorf("%v", err)
	}
}
