package informercache

// core is the unlocked heart of a store: the objects and what finds them.
// Objects lie in numbered slots and keep theirs while they live.
type core struct {
	slots  []*Object // nil where free
	free   []uint32
	spaces map[string]map[string]uint32 // namespace, then name
	indexes
	count int
	bytes int64
}

func newCore(declared []Index) *core {
	return &core{spaces: map[string]map[string]uint32{}, indexes: newIndexes(declared)}
}

func (c *core) slot(namespace, name string) (uint32, bool) {
	s, ok := c.spaces[namespace][name]
	return s, ok
}

func (c *core) get(namespace, name string) *Object {
	if s, ok := c.slot(namespace, name); ok {
		return c.slots[s]
	}
	return nil
}

// put adds the object or takes it in place of the one of its name.
func (c *core) put(o *Object) {
	s, ok := c.slot(o.namespace, o.name)
	if ok {
		before := c.slots[s]
		c.bytes += o.size() - before.size()
		c.update(s, before, o)
	} else {
		s = c.take(o.namespace, o.name)
		c.count++
		c.bytes += o.size()
		c.update(s, nil, o)
	}
	c.slots[s] = o
}

func (c *core) take(namespace, name string) uint32 {
	var s uint32
	if n := len(c.free); n > 0 {
		s, c.free = c.free[n-1], c.free[:n-1]
	} else {
		s = uint32(len(c.slots)) //nolint:gosec // four billion objects fit no memory
		c.slots = append(c.slots, nil)
	}
	names := c.spaces[namespace]
	if names == nil {
		names = map[string]uint32{}
		c.spaces[namespace] = names
	}
	names[name] = s
	return s
}

func (c *core) remove(namespace, name string) {
	s, ok := c.slot(namespace, name)
	if !ok {
		return
	}
	o := c.slots[s]
	c.update(s, o, nil)
	c.slots[s] = nil
	c.free = append(c.free, s)
	c.count--
	c.bytes -= o.size()
	delete(c.spaces[namespace], name)
	if len(c.spaces[namespace]) == 0 {
		delete(c.spaces, namespace)
	}
}

// all appends every object.
func (c *core) all(into []*Object) []*Object {
	for _, o := range c.slots {
		if o != nil {
			into = append(into, o)
		}
	}
	return into
}
