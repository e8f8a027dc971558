package meter

// This file says how large tables, memories and segments may be.

// capped is a size with a maximum of at most the limit.
func (z size) cappedAt(most uint32) size {
	if !z.capped || z.max > most {
		z.max = most
	}
	z.capped = true
	return z
}

// mostPages is the most pages that the memory can have. What is imported keeps
// its own limits.
func (m *module) mostPages() int64 {
	if len(m.memories) == 0 {
		return 1 << 16
	}
	return int64(m.memories[0].cappedAt(m.limits.MemoryPages).max)
}

// mostElements is the most elements that a table can have.
func (m *module) mostElements(table uint32) int64 {
	own := int(table) - (len(m.tableTypes) - len(m.tables))
	if own < 0 {
		return 1<<32 - 1
	}
	return int64(m.tables[own].size.cappedAt(m.limits.TableElements).max)
}

// dataBytes is how long a data segment is.
func (m *module) dataBytes(i uint32) int64 { return int64(len(m.datas[i].bytes)) }
