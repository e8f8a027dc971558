package meter

// This file reads the sections that declare: types, imports, functions, tables,
// memories, globals, exports.

func (c *cursor) valueType() valueType {
	at := c.at
	t := valueType(c.byte())
	switch t {
	case i32, i64, f32, f64, v128, funcref, externref:
	default:
		c.fail(at, "value type 0x%02x is not known here", byte(t))
	}
	return t
}

func (c *cursor) refType() valueType {
	at := c.at
	t := c.valueType()
	if t != funcref && t != externref {
		c.fail(at, "0x%02x is no reference type", byte(t))
	}
	return t
}

func (c *cursor) valueTypes(name string, most uint32) []valueType {
	n := c.count(name, most)
	if n == 0 {
		return nil
	}
	out := make([]valueType, 0, n)
	for range n {
		out = append(out, c.valueType())
	}
	return out
}

func (m *module) readTypes(s *cursor) {
	for range s.count("types", m.limits.Types) {
		at := s.at
		if form := s.byte(); form != 0x60 {
			s.fail(at, "type form 0x%02x is not known here", form)
		}
		if s.err != nil {
			return
		}
		params := s.valueTypes("parameters of a type", m.limits.Params)
		m.types = append(m.types, funcType{params, s.valueTypes("results of a type", m.limits.Results)})
	}
}

// size reads the limits of a table or a memory.
func (c *cursor) size(name string, most uint32) size {
	at := c.at
	var z size
	switch flags := c.byte(); flags {
	case 0:
		z.min = c.u32()
	case 1:
		z.min, z.max, z.capped = c.u32(), c.u32(), true
	default:
		c.fail(at, "limits 0x%02x are not known here: no shared memory, no 64-bit memory", flags)
	}
	c.limit(at, name, most, uint64(z.min))
	if c.err == nil && z.capped && z.max < z.min {
		c.fail(at, "a maximum of %d is below the minimum of %d", z.max, z.min)
	}
	return z
}

func (c *cursor) tableType(l Limits) tableType {
	t := tableType{elem: c.refType()}
	t.size = c.size("elements of a table", l.TableElements)
	return t
}

func (c *cursor) memoryType(l Limits) size {
	at := c.at
	z := c.size("pages of linear memory", l.MemoryPages)
	if z.min > 65536 || z.max > 65536 {
		c.fail(at, "%d pages are beyond 4 GiB", max(z.min, z.max))
	}
	return z
}

func (c *cursor) globalType() globalType {
	t := globalType{typ: c.valueType()}
	at := c.at
	switch b := c.byte(); b {
	case 0:
	case 1:
		t.mutable = true
	default:
		c.fail(at, "mutability 0x%02x is not known here", b)
	}
	return t
}

func (m *module) readImports(s *cursor) {
	for range s.count("imports", m.limits.Imports) {
		e := importEntry{module: s.name(m.limits.NameBytes), name: s.name(m.limits.NameBytes)}
		at := s.at
		switch e.kind = s.byte(); e.kind {
		case kindFunction:
			e.function = s.index("type", len(m.types))
		case kindTable:
			e.table = s.tableType(m.limits)
		case kindMemory:
			e.memory = s.memoryType(m.limits)
		case kindGlobal:
			e.global = s.globalType()
		default:
			s.fail(at, "import kind 0x%02x is not known here", e.kind)
		}
		if s.err != nil {
			return
		}
		m.addImport(e)
	}
	m.checkCounts(s)
}

// checkCounts limits tables, memories and globals, of which imports and sections
// both bring some.
func (m *module) checkCounts(s *cursor) {
	s.limit(s.at, "tables", m.limits.Tables, uint64(len(m.tableTypes)))
	s.limit(s.at, "globals", m.limits.Globals, uint64(len(m.globalTypes)))
	if m.memoryCount > 1 {
		s.fail(s.at, "there are %d memories, and more than one is not known here", m.memoryCount)
	}
}

func (m *module) readFunctions(s *cursor) {
	for range s.count("functions", m.limits.Functions) {
		t := s.index("type", len(m.types))
		if s.err != nil {
			return
		}
		m.functions = append(m.functions, t)
		m.functionTypes = append(m.functionTypes, t)
	}
}

func (m *module) readTables(s *cursor) {
	for range s.count("tables", m.limits.Tables) {
		t := s.tableType(m.limits)
		if s.err != nil {
			return
		}
		m.tables = append(m.tables, t)
		m.tableTypes = append(m.tableTypes, t)
	}
	m.checkCounts(s)
}

func (m *module) readMemories(s *cursor) {
	for range s.count("memories", 1) {
		z := s.memoryType(m.limits)
		m.memories = append(m.memories, z)
		m.memoryCount++
	}
	m.checkCounts(s)
}

func (m *module) readGlobals(s *cursor) {
	for range s.count("globals", m.limits.Globals) {
		t := s.globalType()
		g := globalEntry{typ: t, init: m.constExpr(s, t.typ)}
		if s.err != nil {
			return
		}
		m.globals = append(m.globals, g)
		m.globalTypes = append(m.globalTypes, t)
	}
	m.checkCounts(s)
}

func (m *module) readExports(s *cursor) {
	seen := map[string]bool{}
	for range s.count("exports", m.limits.Exports) {
		at := s.at
		e := exportEntry{name: s.name(m.limits.NameBytes), kind: s.byte()}
		if seen[e.name] {
			s.fail(at, "two exports are named %q", e.name)
		}
		seen[e.name] = true
		switch e.kind {
		case kindFunction:
			e.index = s.index("function", len(m.functionTypes))
		case kindTable:
			e.index = s.index("table", len(m.tableTypes))
		case kindMemory:
			e.index = s.index("memory", m.memoryCount)
		case kindGlobal:
			e.index = s.index("global", len(m.globalTypes))
		default:
			s.fail(at, "export kind 0x%02x is not known here", e.kind)
		}
		if s.err != nil {
			return
		}
		m.exports = append(m.exports, e)
	}
}
