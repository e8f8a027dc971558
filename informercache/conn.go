package informercache

import (
	"context"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
)

// resourcePath is where a kind is served.
type resourcePath = schema.GroupVersionResource

var optionsVersion = schema.GroupVersion{Version: "v1"}

// conn asks an API server, with our decoder at the end. It is safe for several
// goroutines.
type conn struct {
	objects *rest.RESTClient // bodies are objects, and events of watches
	lists   *rest.RESTClient // bodies are lists
}

// shared copies a configuration so that several connections made of it share
// its transport and its rate limit.
func shared(c *rest.Config, client *http.Client) (*rest.Config, *http.Client, error) {
	c = rest.CopyConfig(c)
	c.APIPath, c.GroupVersion = "/", &schema.GroupVersion{}
	if c.RateLimiter == nil && c.QPS >= 0 {
		qps, burst := c.QPS, c.Burst
		if qps == 0 {
			qps = rest.DefaultQPS
		}
		if burst == 0 {
			burst = rest.DefaultBurst
		}
		c.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(qps, burst)
	}
	if client != nil {
		return c, client, nil
	}
	client, err := rest.HTTPClientFor(c)
	return c, client, err
}

func newConn(c *rest.Config, client *http.Client, in *interner, see func(Encoding, error)) (*conn, error) {
	open := func(list bool) (*rest.RESTClient, error) {
		cc := rest.CopyConfig(c)
		cc.NegotiatedSerializer = newCodec(list, in, see)
		return rest.UnversionedRESTClientForConfigAndClient(cc, client)
	}
	objects, err := open(false)
	if err != nil {
		return nil, err
	}
	lists, err := open(true)
	return &conn{objects: objects, lists: lists}, err
}

// accept is the Accept header for what is wanted. Protobuf is asked for first;
// only without it, after a server refused even to choose.
func accept(as string, jsonOnly bool) string {
	if as != "" {
		as = ";as=" + as + ";g=meta.k8s.io;v=v1"
	}
	if jsonOnly {
		return runtime.ContentTypeJSON + as
	}
	return runtime.ContentTypeProtobuf + as + "," + runtime.ContentTypeJSON + as
}

// withFallback asks for protobuf or JSON, and again for JSON alone where that
// is refused.
func withFallback[T any](as string, ask func(accept string) (T, error)) (T, error) {
	got, err := ask(accept(as, false))
	if apierrors.IsNotAcceptable(err) || apierrors.IsUnsupportedMediaType(err) {
		return ask(accept(as, true))
	}
	return got, err
}

// request begins a request for a resource. Names are checked on the way, since
// a path is made of them.
func request(c *rest.RESTClient, r resourcePath, namespace, name string) *rest.Request {
	prefix := "/apis/" + r.Group + "/" + r.Version
	if r.Group == "" {
		prefix = "/api/" + r.Version
	}
	q := c.Get().AbsPath(prefix).Resource(r.Resource)
	if namespace != "" {
		q = q.Namespace(namespace)
	}
	if name != "" {
		q = q.Name(name)
	}
	return q
}

func (c *conn) list(ctx context.Context, r resourcePath, namespace string, opts metav1.ListOptions, metadataOnly bool) (*itemList, error) {
	as := ""
	if metadataOnly {
		as = "PartialObjectMetadataList"
	}
	return withFallback(as, func(accept string) (*itemList, error) {
		obj, err := request(c.lists, r, namespace, "").SetHeader("Accept", accept).
			SpecificallyVersionedParams(&opts, scheme.ParameterCodec, optionsVersion).Do(ctx).Get()
		if err != nil {
			return nil, err
		}
		l, ok := obj.(*itemList)
		if !ok {
			return nil, fmt.Errorf("cannot list %s: %w: %T", r.Resource, errNotItem, obj)
		}
		return l, nil
	})
}

func (c *conn) get(ctx context.Context, r resourcePath, namespace, name string, metadataOnly bool) (*Object, error) {
	as := ""
	if metadataOnly {
		as = "PartialObjectMetadata"
	}
	return withFallback(as, func(accept string) (*Object, error) {
		obj, err := request(c.objects, r, namespace, name).SetHeader("Accept", accept).Do(ctx).Get()
		if err != nil {
			return nil, err
		}
		i, ok := obj.(*item)
		if !ok {
			return nil, fmt.Errorf("cannot get %s %s: %w: %T", r.Resource, name, errNotItem, obj)
		}
		return i.obj, nil
	})
}

func (c *conn) watch(ctx context.Context, r resourcePath, namespace string, opts metav1.ListOptions, metadataOnly bool) (watch.Interface, error) {
	as := ""
	if metadataOnly {
		as = "PartialObjectMetadata"
	}
	opts.Watch = true
	return withFallback(as, func(accept string) (watch.Interface, error) {
		return request(c.objects, r, namespace, "").SetHeader("Accept", accept).
			SpecificallyVersionedParams(&opts, scheme.ParameterCodec, optionsVersion).Watch(ctx)
	})
}
