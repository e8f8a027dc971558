package writer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
)

// busyTries is how often a request is sent that the API server is too busy for.
const busyTries = 10

// client sends requests whose bodies are bytes.
type client struct {
	rest    *rest.RESTClient
	timeout time.Duration
	clock   clock.Clock
}

// statusCodecs decode what the API server says about failures, and nothing else.
func statusCodecs() runtime.NegotiatedSerializer {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return serializer.NewCodecFactory(scheme).WithoutConversion()
}

func newClient(cfg *Config) (*client, error) {
	conn := rest.CopyConfig(cfg.REST)
	conn.Wrap(func(next http.RoundTripper) http.RoundTripper { return &fencedTransport{next: next, fence: cfg.Fence} })
	conn.QPS, conn.RateLimiter = -1, cfg.Limiter
	conn.Timeout = 0 // given with each request
	conn.ContentType, conn.NegotiatedSerializer = typeJSON, statusCodecs()
	conn.WarningHandlerWithContext = warnings{cfg.Logger}
	hc, err := rest.HTTPClientFor(conn)
	if err != nil {
		return nil, fmt.Errorf("cannot use the connection: %w", err)
	}
	rc, err := rest.UnversionedRESTClientForConfigAndClient(conn, hc)
	if err != nil {
		return nil, fmt.Errorf("cannot use the connection: %w", err)
	}
	return &client{rest: rc, timeout: cfg.Timeout, clock: cfg.Clock}, nil
}

// call is one request.
type call struct {
	method      string
	gvr         schema.GroupVersionResource
	namespace   string
	name        string
	subresource string
	params      map[string]string
	contentType string
	accept      string
	body        []byte
	impatient   bool // being refused for now is an answer
}

// answer is what came back.
type answer struct {
	body        []byte
	contentType string
}

// errPath is why a request is not sent whose coordinates make no path.
var errPath = errors.New("the coordinates make no path")

// request builds the request. Its parts are checked to be single path segments,
// so that no name leads elsewhere.
func (c *client) request(in *call) *rest.Request {
	r := c.rest.Verb(in.method)
	if in.gvr.Group == "" {
		r.AbsPath("/api", in.gvr.Version)
	} else {
		r.AbsPath("/apis", in.gvr.Group, in.gvr.Version)
	}
	r.NamespaceIfScoped(in.namespace, in.namespace != "").Resource(in.gvr.Resource)
	if in.name != "" {
		r.Name(in.name)
	}
	if in.subresource != "" {
		r.SubResource(in.subresource)
	}
	for name, v := range in.params {
		r.Param(name, v)
	}
	r.SetHeader("Accept", in.accept)
	if in.body != nil {
		r.SetHeader("Content-Type", in.contentType).Body(in.body)
	}
	// Sending again is decided here: after a 5xx the request may have been
	// performed, which client-go does not mind.
	return r.Timeout(c.timeout).MaxRetries(0)
}

// send sends a request, and sends it again while the API server says that it is
// too busy and when to come back.
func (c *client) send(ctx context.Context, in *call) (answer, *flight, error) {
	ctx, f := withFlight(ctx)
	for try := 1; ; try++ {
		r := c.request(in)
		if err := r.Error(); err != nil {
			return answer{}, f, fmt.Errorf("%w: %w", errPath, err)
		}
		var a answer
		result := r.Do(ctx)
		a.body, _ = result.Raw() // the error is below, with its Status
		result.ContentType(&a.contentType)
		err := result.Error()
		if err == nil || in.impatient || try >= busyTries || !apierrors.IsTooManyRequests(err) {
			return a, f, err
		}
		after, ok := apierrors.SuggestsClientDelay(err)
		if !ok {
			return a, f, err
		}
		f.begun.Store(0) // it was not performed
		timer := c.clock.NewTimer(time.Duration(after) * time.Second)
		select {
		case <-timer.C():
		case <-ctx.Done():
			timer.Stop()
			return a, f, err
		}
	}
}

// warnings logs the API server's warnings.
type warnings struct{ logger *slog.Logger }

// HandleWarningHeaderWithContext implements rest.WarningHandlerWithContext.
func (w warnings) HandleWarningHeaderWithContext(ctx context.Context, code int, _, message string) {
	if code == 299 && message != "" {
		w.logger.DebugContext(ctx, "API server warns", "warning", message)
	}
}
