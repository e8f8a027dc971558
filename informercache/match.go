package informercache

// Matches tells whether an object is selected. The index is the declaration of
// the one that the query names, nil where it names none.
func (q Query) Matches(o *Object, index *Index) bool {
	if o == nil || (q.Index != "" && index == nil) {
		return false
	}
	return plan{Query: q}.matches(o, index)
}

// Values are the values under which the index finds an object; never none.
func (i Index) Values(o *Object) []string { return indexValues(o, i) }
