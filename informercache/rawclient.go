package informercache

import (
	"context"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

// RawClient reads objects live from the API server, past the cache, in the
// form that the cache holds. It is safe for several goroutines.
type RawClient struct {
	conn *conn
}

// RawList is one page of a live list.
type RawList struct {
	// Items are the objects, in the server's order.
	Items []*Object
	// ResourceVersion is the version of the list.
	ResourceVersion string
	// Continue asks for the next page; "" after the last one.
	Continue string
}

// NewRawClient returns a client for a connection, which may impersonate. A nil
// http.Client has one made from the configuration; one that is given must
// carry the impersonation itself.
func NewRawClient(c *rest.Config, client *http.Client) (*RawClient, error) {
	c, client, err := shared(c, client)
	if err != nil {
		return nil, fmt.Errorf("cannot make a client: %w", err)
	}
	conn, err := newConn(c, client, newInterner(), nil)
	if err != nil {
		return nil, fmt.Errorf("cannot make a client: %w", err)
	}
	return &RawClient{conn: conn}, nil
}

// Get reads one object. The error of the server is wrapped, so that the checks of
// apimachinery's errors package work on it.
func (c *RawClient) Get(ctx context.Context, r schema.GroupVersionResource, namespace, name string, metadataOnly bool) (*Object, error) {
	o, err := c.conn.get(ctx, r, namespace, name, metadataOnly)
	if err != nil {
		return nil, fmt.Errorf("cannot get %s %s/%s: %w", r.GroupResource(), namespace, name, err)
	}
	return o, nil
}

// List reads one page of a resource, in one namespace or in all ("").
func (c *RawClient) List(ctx context.Context, r schema.GroupVersionResource, namespace string, opts metav1.ListOptions, metadataOnly bool) (*RawList, error) {
	l, err := c.conn.list(ctx, r, namespace, opts, metadataOnly)
	if err != nil {
		return nil, fmt.Errorf("cannot list %s in %q: %w", r.GroupResource(), namespace, err)
	}
	list := &RawList{Items: make([]*Object, 0, len(l.Items)), ResourceVersion: l.ResourceVersion, Continue: l.Continue}
	for _, i := range l.Items {
		list.Items = append(list.Items, i.obj)
	}
	return list, nil
}
