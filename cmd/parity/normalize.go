package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A doc is an object without what must differ between two runs.
type doc struct {
	key    string // kind, namespace, name
	object map[string]any
}

// normalize removes what must differ: identities, times, generated names,
// addresses that were given out at random. What says the same in both runs
// comes out the same, and the docs come in a fixed order.
func normalize(s *snapshot) []doc {
	n := newNames(s)
	docs := make([]doc, 0, len(s.objects))
	for _, o := range s.objects {
		generation := field(o, "metadata.generation")
		plain, _ := n.value(o, "", generation).(map[string]any)
		metadata, _ := plain["metadata"].(map[string]any)
		for _, k := range []string{"uid", "creationTimestamp", "generation"} {
			delete(metadata, k)
		}
		clean(plain)
		docs = append(docs, doc{key: strings.TrimSpace(field(plain, "kind") + " " + strings.TrimPrefix(field(metadata, "namespace")+"/"+field(metadata, "name"), "/")), object: plain})
	}
	slices.SortFunc(docs, func(a, b doc) int {
		return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(text(a.object), text(b.object)))
	})
	return docs
}

// clean takes away the addresses that a Service was given.
func clean(o map[string]any) {
	spec, ok := o["spec"].(map[string]any)
	if o["kind"] != "Service" || !ok {
		return
	}
	if ip := field(spec, "clusterIP"); ip != "" && ip != "None" {
		spec["clusterIP"], spec["clusterIPs"] = "<given>", "<given>"
	}
}

// names knows what stands for what in a snapshot.
type names struct {
	plain    *strings.Replacer
	patterns []pattern
}

type pattern struct {
	from *regexp.Regexp
	to   string
}

var (
	moment    = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)
	identity  = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	podIP     = regexp.MustCompile(`\b10\.(12[89]|1[3-9]\d|2\d\d)\.\d+\.\d+\b`) // of kwok's range
	tokenName = regexp.MustCompile(`\bkube-api-access-[a-z0-9]{5}\b`)
)

const suffix = `[a-z0-9]{5}`

func newNames(s *snapshot) *names {
	n := &names{}
	var pairs [][2]string
	for hash, number := range templateHashes(s.objects) {
		pairs = append(pairs, [2]string{hash, "<template-" + strconv.Itoa(number) + ">"})
	}
	pairs = append(pairs, [2]string{s.scope, "$NS"})
	if ca := strings.TrimSpace(s.rootCA); ca != "" {
		pairs = append(pairs, [2]string{ca, "<the plane's root CA>"})
	}
	plain := longestFirst(pairs)
	for _, o := range s.objects {
		if uid := field(o, "metadata.uid"); uid != "" {
			pairs = append(pairs, [2]string{uid, "<uid of " + field(o, "kind") + " " + generatedName(o, plain) + ">"})
		}
	}
	n.plain = longestFirst(pairs)
	n.patterns = append(n.patterns, generated(withSubjects(s), plain)...)
	n.patterns = append(n.patterns,
		pattern{moment, "<time>"}, pattern{identity, "<uid>"}, pattern{podIP, "<pod IP>"}, pattern{tokenName, "kube-api-access-*"})
	return n
}

// withSubjects adds to the objects those that Events speak of and that are gone.
func withSubjects(s *snapshot) []map[string]any {
	out := slices.Clone(s.objects)
	for _, e := range s.events {
		out = append(out, map[string]any{
			"kind":     field(e, "involvedObject.kind"),
			"metadata": map[string]any{"name": field(e, "involvedObject.name")},
		})
	}
	return out
}

// longestFirst replaces the longest text where several fit.
func longestFirst(pairs [][2]string) *strings.Replacer {
	pairs = slices.Clone(pairs)
	slices.SortFunc(pairs, func(a, b [2]string) int { return cmp.Or(len(b[0])-len(a[0]), strings.Compare(a[0], b[0])) })
	var flat []string
	for _, p := range pairs {
		if p[0] != "" {
			flat = append(flat, p[0], p[1])
		}
	}
	return strings.NewReplacer(flat...)
}

// templateHashes numbers the hashes of pod templates by what the templates say.
func templateHashes(objects []map[string]any) map[string]int {
	byHash := map[string]string{}
	for _, o := range objects {
		hash := field(o, "metadata.labels.pod-template-hash")
		if hash == "" {
			continue
		}
		if field(o, "kind") == "ReplicaSet" {
			byHash[hash] = strings.ReplaceAll(text(o["spec"]), hash, "")
			if spec, ok := o["spec"].(map[string]any); ok {
				byHash[hash] = strings.ReplaceAll(text(spec["template"]), hash, "")
			}
		} else if _, ok := byHash[hash]; !ok {
			byHash[hash] = "" // a pod whose ReplicaSet is gone
		}
	}
	hashes := slices.SortedFunc(maps.Keys(byHash), func(a, b string) int {
		return cmp.Or(strings.Compare(byHash[a], byHash[b]), strings.Compare(a, b))
	})
	out := map[string]int{}
	for i, h := range hashes {
		out[h] = i + 1
	}
	return out
}

// generatedName is an object's name without what was made up for it.
func generatedName(o map[string]any, plain *strings.Replacer) string {
	name := field(o, "metadata.name")
	if prefix := field(o, "metadata.generateName"); prefix != "" && strings.HasPrefix(name, prefix) {
		return plain.Replace(prefix) + "*"
	}
	return plain.Replace(name)
}

// generated gives patterns for names that were made up, of what there is and of
// what there was: with a suffix, with a template's hash, or with a time.
func generated(objects []map[string]any, plain *strings.Replacer) []pattern {
	prefixes, ticks := map[string]bool{}, map[string]bool{}
	for _, o := range objects {
		name := field(o, "metadata.name")
		switch field(o, "kind") {
		case "ReplicaSet", "Job", "ReplicationController", "DaemonSet":
			prefixes[name+"-"] = true // of their pods
		case "Service", "Endpoints":
			prefixes[name+"-"] = true // of their slices
		case "CronJob":
			ticks[name] = true
		}
		if prefix := field(o, "metadata.generateName"); prefix != "" {
			prefixes[prefix] = true
		}
	}
	var out []pattern
	for _, prefix := range slices.SortedFunc(maps.Keys(prefixes), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }) {
		p := plain.Replace(prefix)
		out = append(out, pattern{regexp.MustCompile(`(^|[^-a-z0-9])` + regexp.QuoteMeta(p) + suffix + `\b`), "${1}" + strings.ReplaceAll(p, "$", "$$") + "*"})
	}
	for _, name := range slices.Sorted(maps.Keys(ticks)) {
		out = append(out,
			pattern{regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `-\d{8,}(-` + suffix + `\b)`), name + "-<tick>-*"},
			pattern{regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `-\d{8,}\b`), name + "-<tick>"})
	}
	return out
}

// replace writes a text with what stands for what.
func (n *names) replace(s string) string {
	s = n.plain.Replace(s)
	for _, p := range n.patterns {
		s = p.from.ReplaceAllString(s, p.to)
	}
	return s
}

// dropped are fields that say nothing that both runs could share.
var dropped = map[string]bool{"resourceVersion": true, "managedFields": true}

// unordered are lists whose order means nothing.
var unordered = map[string]bool{
	"conditions": true, "ownerReferences": true, "endpoints": true, "active": true, "taints": true, "addresses": true,
	"notReadyAddresses": true, "failed": true, "finalizers": true,
}

// value writes a value anew; key is the field that it is in.
func (n *names) value(v any, key, generation string) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			switch {
			case dropped[k]:
			case k == "observedGeneration":
				out[k] = lag(generation, fmt.Sprint(item))
			default:
				out[n.replace(k)] = n.value(item, k, generation)
			}
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, item := range v {
			out = append(out, n.value(item, key, generation))
		}
		if unordered[key] {
			slices.SortStableFunc(out, func(a, b any) int { return strings.Compare(text(a), text(b)) })
		}
		return out
	case string:
		return n.replace(v)
	default:
		return v
	}
}

// lag says how far an observed generation is behind.
func lag(generation, observed string) string {
	g, err1 := strconv.Atoi(generation)
	o, err2 := strconv.Atoi(observed)
	switch {
	case err1 != nil || err2 != nil:
		return observed
	case g == o:
		return "<current>"
	default:
		return fmt.Sprintf("<%d behind>", g-o)
	}
}

// text is a value as JSON, with its keys in order.
func text(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
