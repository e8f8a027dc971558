package sdk

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/loopdock/loopdock/abi"
)

func TestSetting(t *testing.T) {
	const config = ` {"a": 1, "text":"x y", "deep": {"a": [2, "}"], "b": "\"]"}, "on":true , "none": null, "escaped": "\u0041", "last": -7}`
	cases := map[string]struct {
		reason, config, name, want string
		found                      bool
	}{
		"number":      {"as written", config, "a", "1", true},
		"string":      {"unquoted", config, "text", "x y", true},
		"literal":     {"as written", config, "on", "true", true},
		"after depth": {"nested values are skipped", config, "last", "-7", true},
		"nested":      {"objects are not given", config, "deep", "", false},
		"inner":       {"only members of the outermost object", config, "b", "", false},
		"null":        {"the same as absent", config, "none", "", false},
		"escapes":     {"unescaped", config, "escaped", "A", true},
		"escaped key": {"unescaped, too", `{"\u0061": 1}`, "a", "1", true},
		"absent":      {"not there", config, "zzz", "", false},
		"empty":       {"no configuration", "", "a", "", false},
		"empty one":   {"no members", "{}", "a", "", false},
		"cut":         {"ends early", `{"a": "b`, "a", "", false},
		"cut nested":  {"ends early", `{"x": [`, "a", "", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := newReconcile(&Controller{}, &abi.Request{Config: []byte(tc.config)})
			if got, ok := r.Setting(tc.name); got != tc.want || ok != tc.found {
				t.Errorf("%s: got %q %v, want %q %v", tc.reason, got, ok, tc.want, tc.found)
			}
		})
	}
	r := newReconcile(&Controller{}, &abi.Request{Config: []byte(config)})
	if !r.SettingBool("on", false) || !r.SettingBool("zzz", true) || r.SettingInt("last", 0) != -7 || r.SettingInt("text", 3) != 3 {
		t.Error("typed settings, or their defaults, are wrong")
	}
}

// TestUnescape: a text is what encoding/json makes of it.
func TestUnescape(t *testing.T) {
	for _, written := range []string{
		`plain`, ``, `a\nb`, `\b\f\n\r\t`, `\"\\\/`, `-----BEGIN-----\nMIIB\n-----END-----\n`,
		`\u00e9`, `\u00E9t\u00e9`, `\u20ac`, `\u0000`, `\ud83d\ude00`, `x\uD83D\uDE00y`, `é€😀\n`,
		`\ud83d`, `\ud83dx`, `\ud83d\n`, `\ud83d\ud83d`, `\ud83d\u0041`, `\ude00\ud83d`,
	} {
		var want string
		if err := json.Unmarshal([]byte(`"`+written+`"`), &want); err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if got := unescape([]byte(written)); got != want {
			t.Errorf("%s: got %q, want %q", written, got, want)
		}
	}
}

// FuzzUnescape: the same, and what is no JSON string does no harm.
func FuzzUnescape(f *testing.F) {
	f.Add(`a\u00e9\n`)
	f.Add(`\ud83d\ude00\u12`)
	f.Fuzz(func(t *testing.T, written string) {
		got := unescape([]byte(written))
		var want string
		if !utf8.ValidString(written) || json.Unmarshal([]byte(`"`+written+`"`), &want) != nil {
			return
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", written, got, want)
		}
	})
}

func FuzzSetting(f *testing.F) {
	f.Add(`{"a": [1, {"b": "c"}], "d": "e\"f"}`, "d")
	f.Fuzz(func(_ *testing.T, config, name string) {
		newReconcile(&Controller{}, &abi.Request{Config: []byte(config)}).Setting(name)
	})
}
