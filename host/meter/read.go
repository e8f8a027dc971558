package meter

import "bytes"

// The sections, by their numbers.
const (
	sectionCustom = iota
	sectionType
	sectionImport
	sectionFunction
	sectionTable
	sectionMemory
	sectionGlobal
	sectionExport
	sectionStart
	sectionElement
	sectionCode
	sectionData
	sectionDataCount
)

// sections are in the order in which they follow each other.
var sections = []byte{
	sectionType, sectionImport, sectionFunction, sectionTable, sectionMemory, sectionGlobal,
	sectionExport, sectionStart, sectionElement, sectionDataCount, sectionCode, sectionData,
}

var header = []byte("\x00asm\x01\x00\x00\x00")

// read reads a module of WebAssembly 2.0, holds it against the limits and
// validates it. The error is a *FormatError or a *LimitError.
func read(wasm []byte, limits Limits) (*module, error) {
	m := &module{limits: limits, size: len(wasm)}
	c := cursor{b: wasm, end: len(wasm)}
	c.limit(0, "bytes of a module", m.limits.ModuleBytes, uint64(len(wasm)))
	if c.err == nil && !bytes.HasPrefix(wasm, header) {
		c.fail(0, "it does not begin as a WebAssembly module of version 1 does")
	}
	c.take(uint32(len(header))) //nolint:gosec // eight
	rank := 0
	for c.more() {
		m.section(&c, &rank)
	}
	if c.err == nil && len(m.bodies) != len(m.functions) {
		c.fail(c.at, "there are %d functions and %d bodies", len(m.functions), len(m.bodies))
	}
	if c.err == nil && m.dataCount != nil && *m.dataCount != uint32(len(m.datas)) { //nolint:gosec // counted in 32 bits
		c.fail(c.at, "%d data segments are announced, and there are %d", *m.dataCount, len(m.datas))
	}
	if c.err != nil {
		return nil, c.err
	}
	return m, nil
}

// section reads one section. rank is the place in the order where the one before
// it is.
func (m *module) section(c *cursor, rank *int) {
	at := c.at
	id := c.byte()
	s := c.sub(c.u32())
	if c.err != nil {
		return
	}
	if id == sectionCustom {
		m.readCustom(&s, *rank)
		c.err = s.err
		return
	}
	place := bytes.IndexByte(sections, id) + 1
	switch {
	case place == 0:
		c.fail(at, "section %d is not known here", id)
		return
	case place <= *rank:
		c.fail(at, "section %d is out of order", id)
		return
	}
	*rank = place
	m.readSection(&s, id)
	c.err = s.finish("section")
}

func (m *module) readSection(s *cursor, id byte) {
	switch id {
	case sectionType:
		m.readTypes(s)
	case sectionImport:
		m.readImports(s)
	case sectionFunction:
		m.readFunctions(s)
	case sectionTable:
		m.readTables(s)
	case sectionMemory:
		m.readMemories(s)
	case sectionGlobal:
		m.readGlobals(s)
	case sectionExport:
		m.readExports(s)
	case sectionStart:
		m.readStart(s)
	case sectionElement:
		m.readElements(s)
	case sectionDataCount:
		n := s.u32()
		s.limit(s.at, "data segments", m.limits.Segments, uint64(n))
		m.dataCount = &n
	case sectionCode:
		m.readBodies(s)
	case sectionData:
		m.readDatas(s)
	}
}

// readStart reads which function runs at instantiation.
func (m *module) readStart(s *cursor) {
	at := s.at
	start := s.index("function", len(m.functionTypes))
	if s.err != nil {
		return
	}
	if t := m.types[m.functionTypes[start]]; len(t.params)+len(t.results) > 0 {
		s.fail(at, "function %d starts the module, and has parameters or results", start)
	}
	m.start = &start
}

func (m *module) readCustom(s *cursor, rank int) {
	at := s.at
	name := s.name(m.limits.NameBytes)
	if name == "name" && s.err == nil {
		if m.names != nil {
			s.fail(at, "there are two name sections")
			return
		}
		m.names = readNames(s, m)
	}
	m.customs = append(m.customs, custom{rank: rank, name: name, data: s.take(uint32(s.left()))}) //nolint:gosec // shorter than a module
}
