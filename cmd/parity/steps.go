package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"
)

// In what steps are given, $NS stands for the scenario's namespace, $3H for the
// time three hours ago, and NS/NAME names an object in another of its namespaces.

// create creates what YAML documents describe.
func create(docs ...string) step {
	return step{"create", func(ctx context.Context, st *stage) error {
		for _, text := range docs {
			for doc := range strings.SplitSeq(text, "\n---\n") {
				if _, err := st.create(ctx, doc); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// create creates one object.
func (st *stage) create(ctx context.Context, doc string) (*unstructured.Unstructured, error) {
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(st.expand(doc)), &o.Object); err != nil {
		return nil, fmt.Errorf("cannot read the scenario's YAML: %w\n%s", err, doc)
	}
	resource, known := byKind[o.GetKind()]
	if !known {
		gvk := o.GroupVersionKind()
		resource = strings.ToLower(gvk.Kind) + "s." + gvk.Version + "." + gvk.Group
	}
	client := st.of(resource)
	if ns := o.GetNamespace(); ns != "" {
		client = st.dynamic.Resource(lookUp(resource)).Namespace(ns)
	}
	if clusterScoped[resource] && resource != "namespaces" {
		st.touch(resource, o.GetName())
	}
	return client.Create(ctx, o, metav1.CreateOptions{})
}

func (st *stage) expand(text string) string {
	text = strings.ReplaceAll(text, "$3H", time.Now().Add(-3*time.Hour).UTC().Format(time.RFC3339))
	return strings.ReplaceAll(text, "$NS", st.name)
}

// namespace opens another namespace, called $NS--suffix.
func namespace(suffix string) step {
	return step{"namespace " + suffix, func(ctx context.Context, st *stage) error {
		return st.open(ctx, st.name+scopeMark+suffix)
	}}
}

// patch merges JSON, or YAML on one line, into an object.
func patch(resource, name, body string) step {
	return patchPart(resource, name, body)
}

// patchStatus does so with its status.
func patchStatus(resource, name, body string) step {
	return patchPart(resource, name, body, "status")
}

func patchPart(resource, name, body string, part ...string) step {
	return step{"patch " + resource + " " + name, func(ctx context.Context, st *stage) error {
		data, err := yaml.YAMLToJSON([]byte(st.expand(body)))
		if err != nil {
			return fmt.Errorf("cannot read the scenario's patch: %w", err)
		}
		client, name := st.named(resource, name)
		_, err = client.Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{}, part...)
		return err
	}}
}

// remove deletes an object.
func remove(resource, name string, opts ...func(*metav1.DeleteOptions)) step {
	return step{"delete " + resource + " " + name, func(ctx context.Context, st *stage) error {
		client, name := st.named(resource, name)
		return client.Delete(ctx, name, deleteOptions(opts))
	}}
}

// removeOne deletes one of the objects that a selector names, whichever.
func removeOne(resource, selector string, opts ...func(*metav1.DeleteOptions)) step {
	return step{"delete one of " + resource + " " + selector, func(ctx context.Context, st *stage) error {
		list, err := st.of(resource).List(ctx, metav1.ListOptions{LabelSelector: selector})
		if err != nil {
			return err
		}
		items := live(list.Items)
		if len(items) == 0 {
			return fmt.Errorf("there are no %s %s", resource, selector)
		}
		return st.of(resource).Delete(ctx, items[0].GetName(), deleteOptions(opts))
	}}
}

func deleteOptions(opts []func(*metav1.DeleteOptions)) metav1.DeleteOptions {
	var out metav1.DeleteOptions
	for _, o := range opts {
		o(&out)
	}
	return out
}

// How dependents are treated, and that nothing is waited for.
func background(o *metav1.DeleteOptions) {
	o.PropagationPolicy = new(metav1.DeletePropagationBackground)
}

func foreground(o *metav1.DeleteOptions) {
	o.PropagationPolicy = new(metav1.DeletePropagationForeground)
}
func orphan(o *metav1.DeleteOptions) { o.PropagationPolicy = new(metav1.DeletePropagationOrphan) }
func now(o *metav1.DeleteOptions)    { o.GracePeriodSeconds = new(int64) }

// until waits until an object's fields are as told: "status.replicas=3
// metadata.deletionTimestamp!= status.conditions[Ready].reason=X". A missing
// field is empty.
func until(resource, name, fields string) step { return untilIn(patience, resource, name, fields) }

func untilIn(limit time.Duration, resource, name, fields string) step {
	return step{"until " + resource + " " + name + " " + fields, func(ctx context.Context, st *stage) error {
		client, name := st.named(resource, name)
		seen := ""
		err := st.await(ctx, limit, func(ctx context.Context) (bool, error) {
			o, err := client.Get(ctx, name, metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				seen = "it does not exist"
				return false, nil
			}
			if err != nil {
				return false, err
			}
			seen = unmet(o.Object, st.expand(fields))
			return seen == "", nil
		})
		if err != nil && seen != "" {
			return fmt.Errorf("%w: %s", err, seen)
		}
		return err
	}}
}

// count waits until as many objects as told match a label selector and, where
// given, have fields as told; those that are being deleted don't count.
func count(resource, selector string, n int, fields ...string) step {
	return countIn(patience, resource, selector, n, fields...)
}

func countIn(limit time.Duration, resource, selector string, n int, fields ...string) step {
	return step{fmt.Sprintf("until %d %s %s %s", n, resource, selector, strings.Join(fields, " ")), func(ctx context.Context, st *stage) error {
		seen := 0
		err := st.await(ctx, limit, func(ctx context.Context) (bool, error) {
			list, err := st.of(resource).List(ctx, metav1.ListOptions{LabelSelector: selector})
			if err != nil {
				return false, err
			}
			seen = 0
			for _, o := range live(list.Items) {
				if unmet(o.Object, st.expand(strings.Join(fields, " "))) == "" {
					seen++
				}
			}
			return seen == n, nil
		})
		if err != nil {
			return fmt.Errorf("%w: there are %d", err, seen)
		}
		return nil
	}}
}

// gone waits until an object does not exist.
func gone(resource, name string) step { return goneIn(patience, resource, name) }

func goneIn(limit time.Duration, resource, name string) step {
	return step{"until " + resource + " " + name + " is gone", func(ctx context.Context, st *stage) error {
		client, name := st.named(resource, name)
		return st.await(ctx, limit, func(ctx context.Context) (bool, error) {
			_, err := client.Get(ctx, name, metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				return true, nil
			}
			return false, err
		})
	}}
}

// event waits until there is an Event for a reason in the scenario's namespace.
func event(reason string) step { return eventIn(patience, reason) }

func eventIn(limit time.Duration, reason string) step {
	return step{"until an Event " + reason, func(ctx context.Context, st *stage) error {
		return st.await(ctx, limit, func(ctx context.Context) (bool, error) {
			list, err := st.of("events").List(ctx, metav1.ListOptions{FieldSelector: "reason=" + reason})
			return err == nil && len(list.Items) > 0, err
		})
	}}
}

// together does steps without waiting for rest between them.
func together(steps ...step) step {
	var names []string
	for i := range steps {
		names = append(names, steps[i].what)
	}
	return step{strings.Join(names, ", "), func(ctx context.Context, st *stage) error {
		for i := range steps {
			if err := steps[i].do(ctx, st); err != nil {
				return fmt.Errorf("%s: %w", steps[i].what, err)
			}
		}
		return nil
	}}
}

// pause lets time pass that the controller itself counts.
func pause(d time.Duration) step {
	return step{"let " + d.String() + " pass", func(ctx context.Context, _ *stage) error {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
}

// named is the client for an object, given as NAME or NS/NAME.
func (st *stage) named(resource, name string) (dynamic.ResourceInterface, string) {
	name = st.expand(name)
	if ns, name, found := strings.Cut(name, "/"); found {
		return st.dynamic.Resource(lookUp(st.expand(resource))).Namespace(ns), name
	}
	return st.of(resource), name
}

// editSlice patches a Service's only EndpointSlice.
func editSlice(service, body string) step {
	return step{"edit the slice of " + service, func(ctx context.Context, st *stage) error {
		list, err := st.of("endpointslices").List(ctx, metav1.ListOptions{LabelSelector: "kubernetes.io/service-name=" + service})
		if err != nil {
			return err
		}
		if len(list.Items) != 1 {
			return fmt.Errorf("there are %d slices", len(list.Items))
		}
		return patch("endpointslices", list.Items[0].GetName(), body).do(ctx, st)
	}}
}

func untilRootCA(ctx context.Context, st *stage) error {
	return st.await(ctx, patience, func(ctx context.Context) (bool, error) {
		o, err := st.of("configmaps").Get(ctx, "kube-root-ca.crt", metav1.GetOptions{})
		if err != nil {
			return false, ignoreNotFound(err)
		}
		data, _, _ := unstructured.NestedStringMap(o.Object, "data")
		return len(data) == 1 && data["ca.crt"] == st.rootCA, nil
	})
}
