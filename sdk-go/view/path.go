package view

// Path names a field inside an object of a known kind, to say which changes
// wake a controller, or which fields it needs. Paths are built from the root
// values beside the views:
//
//	corev1.PodFields.Spec().NodeName()
//	corev1.PodFields.Metadata().Labels().Key("app")
//
// A path goes on through repeated fields and then means that field of every
// element.
type Path struct {
	// Numbers are the protobuf field numbers from the object's root.
	Numbers []int32
	// Name is the same in JSON's names, joined by dots: spec.nodeName.
	Name string
	// MapKey is the entry meant where the path ends at a map; empty means the
	// whole map.
	MapKey string
}

// Pather is anything that names a field: a Path, or one of the generated steps
// towards one, which means that message whole.
type Pather interface{ Path() Path }

// Path is p itself.
func (p Path) Path() Path { return p }

// Child is the path to a field of the message at p. name is empty for a
// message whose fields stand in its parent in JSON.
func (p Path) Child(number int32, name string) Path {
	numbers := append(make([]int32, 0, len(p.Numbers)+1), p.Numbers...)
	switch {
	case p.Name == "":
	case name == "":
		name = p.Name
	default:
		name = p.Name + "." + name
	}
	return Path{Numbers: append(numbers, number), Name: name}
}

// MapPath is the path to a map.
type MapPath Path

// Path means any change of the map.
func (p MapPath) Path() Path { return Path(p) }

// Key means the entry under key alone.
func (p MapPath) Key(key string) Path {
	p.MapKey = key
	return Path(p)
}
