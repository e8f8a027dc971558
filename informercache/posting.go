package informercache

import "slices"

// posting is the set of slots in which objects of one index value lie, sorted.
// Four bytes an entry; adding in the order of slots, as a first list does,
// costs nothing extra.
type posting []uint32

func (p posting) add(slot uint32) posting {
	if len(p) == 0 || p[len(p)-1] < slot {
		return append(p, slot)
	}
	i, found := slices.BinarySearch(p, slot)
	if found {
		return p
	}
	return slices.Insert(p, i, slot)
}

func (p posting) remove(slot uint32) posting {
	i, found := slices.BinarySearch(p, slot)
	if !found {
		return p
	}
	return slices.Delete(p, i, i+1)
}

// postings is an index: the posting of each value that occurs.
type postings[K comparable] map[K]posting

func (p postings[K]) add(value K, slot uint32) { p[value] = p[value].add(slot) }

func (p postings[K]) remove(value K, slot uint32) {
	rest := p[value].remove(slot)
	if len(rest) == 0 {
		delete(p, value)
		return
	}
	p[value] = rest
}
