package meter

import "slices"

// This file writes the metered module, section by section.

func (r *rewriter) encode() []byte {
	out := append(make([]byte, 0, r.m.size*3/2), header...)
	r.encodeCustoms(&out, 0)
	for rank, id := range sections {
		if body := r.encodeSection(id); body != nil {
			out = appendBytes(append(out, id), body)
		}
		r.encodeCustoms(&out, rank+1)
	}
	return out
}

// encodeCustoms writes the custom sections that followed a section.
func (r *rewriter) encodeCustoms(out *[]byte, rank int) {
	for _, c := range r.m.customs {
		if c.rank != rank {
			continue
		}
		if stale(c.name) {
			r.info.Dropped = append(r.info.Dropped, c.name)
			continue
		}
		data := c.data
		if c.name == "name" {
			data = r.encodeNames()
		}
		*out = appendBytes(append(*out, sectionCustom), append(appendName(nil, c.name), data...))
	}
}

// encodeSection writes a section, or nothing where there is none.
func (r *rewriter) encodeSection(id byte) []byte {
	m := r.m
	switch id {
	case sectionType:
		return vectorOf(r.types, appendType)
	case sectionImport:
		refill := importEntry{module: ImportModule, name: ImportRefill, function: r.typeIndex(refillType)}
		return vectorOf(append(slices.Clip(m.imports), refill), appendImport)
	case sectionFunction:
		types := slices.Clip(m.functions)
		for _, h := range r.helpers {
			types = append(types, r.typeIndex(h.typ))
		}
		return vectorOf(types, appendU32)
	case sectionTable:
		return vectorOf(m.tables, func(b []byte, t tableType) []byte {
			return appendSize(append(b, byte(t.elem)), t.size.cappedAt(m.limits.TableElements))
		})
	case sectionMemory:
		return vectorOf(m.memories, func(b []byte, z size) []byte {
			return appendSize(b, z.cappedAt(m.limits.MemoryPages))
		})
	case sectionGlobal:
		return r.encodeGlobals()
	case sectionExport:
		return r.encodeExports()
	case sectionStart:
		if m.start != nil {
			return appendU32(nil, r.function(*m.start))
		}
	case sectionElement:
		return vectorOf(m.elems, r.appendElement)
	case sectionDataCount:
		if m.dataCount != nil {
			return appendU32(nil, *m.dataCount)
		}
	case sectionCode:
		bodies := r.bodies
		for _, h := range r.helpers {
			bodies = append(bodies, append([]byte{0}, h.code...))
		}
		return vectorOf(bodies, appendBytes)
	case sectionData:
		return vectorOf(m.datas, r.appendData)
	}
	return nil
}

// refillType is the type of the function that is imported.
var refillType = funcType{[]valueType{i64}, []valueType{i64}}

// vectorOf writes a vector, or nothing if it is empty.
func vectorOf[E any](entries []E, encode func([]byte, E) []byte) []byte {
	if len(entries) == 0 {
		return nil
	}
	out := appendU32(nil, uint32(len(entries))) //nolint:gosec // limited
	for _, e := range entries {
		out = encode(out, e)
	}
	return out
}

func appendType(b []byte, t funcType) []byte {
	b = append(b, 0x60)
	for _, types := range [][]valueType{t.params, t.results} {
		b = appendU32(b, uint32(len(types))) //nolint:gosec // limited
		for _, v := range types {
			b = append(b, byte(v))
		}
	}
	return b
}

func appendSize(b []byte, z size) []byte {
	if !z.capped {
		return appendU32(append(b, 0), z.min)
	}
	return appendU32(appendU32(append(b, 1), z.min), z.max)
}

func appendImport(b []byte, e importEntry) []byte {
	b = append(appendName(appendName(b, e.module), e.name), e.kind)
	switch e.kind {
	case kindFunction:
		return appendU32(b, e.function)
	case kindTable:
		return appendSize(append(b, byte(e.table.elem)), e.table.size)
	case kindMemory:
		return appendSize(b, e.memory)
	}
	return appendGlobalType(b, e.global)
}

func appendGlobalType(b []byte, t globalType) []byte {
	if t.mutable {
		return append(b, byte(t.typ), 1)
	}
	return append(b, byte(t.typ), 0)
}

func (r *rewriter) appendConst(b []byte, e constExpr) []byte {
	in := e.instr
	if in.op == opRefFunc {
		in.a = r.reference(in.a)
	}
	return append(appendInstr(b, &in), opEnd)
}

// counter is a global of the metering's own.
func counter(v int64) globalEntry {
	return globalEntry{globalType{i64, true}, constExpr{instr{op: opI64Const, imm: immI64, value: v}}}
}

func (r *rewriter) encodeGlobals() []byte {
	globals := slices.Concat(r.m.globals, []globalEntry{counter(r.cfg.Fuel), counter(r.cfg.StackBytes)})
	return vectorOf(globals, func(b []byte, g globalEntry) []byte {
		return r.appendConst(appendGlobalType(b, g.typ), g.init)
	})
}

func (r *rewriter) encodeExports() []byte {
	exports := slices.Concat(r.m.exports, []exportEntry{{ExportFuel, kindGlobal, r.fuel}, {ExportStack, kindGlobal, r.stack}})
	return vectorOf(exports, func(b []byte, e exportEntry) []byte {
		if e.kind == kindFunction {
			e.index = r.reference(e.index)
		}
		return appendU32(append(appendName(b, e.name), e.kind), e.index)
	})
}

func (r *rewriter) appendElement(b []byte, e elemSegment) []byte {
	b = appendU32(b, e.flags)
	if e.flags&elemNotActive == 0 {
		if e.flags&elemExplicit != 0 {
			b = appendU32(b, e.table)
		}
		b = r.appendConst(b, e.offset)
	}
	if e.flags&(elemNotActive|elemExplicit) != 0 {
		if e.flags&elemExprs != 0 {
			b = append(b, byte(e.typ))
		} else {
			b = append(b, 0)
		}
	}
	b = appendU32(b, uint32(e.elements())) //nolint:gosec // limited
	for _, f := range e.functions {
		b = appendU32(b, r.reference(f))
	}
	for _, x := range e.exprs {
		b = r.appendConst(b, x.expr())
	}
	return b
}

func (r *rewriter) appendData(b []byte, d dataSegment) []byte {
	b = appendU32(b, d.flags)
	if d.flags == 2 {
		b = append(b, 0)
	}
	if d.flags != 1 {
		b = r.appendConst(b, d.offset)
	}
	return appendBytes(b, d.bytes)
}
