package informercache

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// item is an object on its way from the decoder through client-go's Reflector
// to the store. It is small since a first list passes through whole.
type item struct {
	metav1.Object // nil: the Reflector asks only for what is implemented below
	obj           *Object
	listEnd       bool
}

var listEndAnnotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}

// GetObjectKind implements runtime.Object: the kind is not looked at.
func (i *item) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject implements runtime.Object: nothing of an item changes.
func (i *item) DeepCopyObject() runtime.Object { return i }

func (i *item) GetNamespace() string       { return i.obj.namespace }
func (i *item) GetName() string            { return i.obj.name }
func (i *item) GetUID() types.UID          { return i.obj.UID() }
func (i *item) GetResourceVersion() string { return i.obj.version }

// GetAnnotations knows of one annotation: the one that ends a streaming list.
func (i *item) GetAnnotations() map[string]string {
	if i.listEnd {
		return listEndAnnotations
	}
	return nil
}

// itemList is a list on the same way. The Reflector finds Items by reflection.
type itemList struct {
	metav1.ListMeta
	Items []*item
}

// GetObjectKind implements runtime.Object.
func (l *itemList) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject implements runtime.Object.
func (l *itemList) DeepCopyObject() runtime.Object { return l }
