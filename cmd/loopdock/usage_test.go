package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestBadCommandLines(t *testing.T) {
	good := file(t, "good.wasm", doNothing("good", nil))
	notJSON := file(t, "config.json", []byte("{replicas: 3}"))
	run := func(args ...string) []string { return append([]string{"run", "--module", good}, args...) }
	for name, c := range map[string]struct {
		args []string
		want []string
	}{
		"unknown command":         {[]string{"frob"}, []string{`no command "frob"`, "loopdock --help"}},
		"help on an unknown one":  {[]string{"help", "frob"}, []string{`no command "frob"`, "loopdock --help"}},
		"unknown flag":            {[]string{"--frob"}, []string{"no flag --frob", "loopdock --help"}},
		"unknown flag of run":     {[]string{"run", "--frob"}, []string{"no flag --frob", "loopdock run --help"}},
		"flag without its value":  {[]string{"run", "--module"}, []string{"--module needs a value"}},
		"short flag without":      {[]string{"run", "-m"}, []string{"-m needs a value"}},
		"run without a module":    {[]string{"run"}, []string{"no module is given", "--module"}},
		"dev without a module":    {[]string{"dev"}, []string{"no module is given", "--module"}},
		"run with an argument":    {run("more.wasm"), []string{"run takes no argument", `"more.wasm"`}},
		"version with one":        {[]string{"version", "x"}, []string{"version takes no argument", `"x"`}},
		"build without a folder":  {[]string{"build"}, []string{"build needs one argument", "folder"}},
		"build with two":          {[]string{"build", "a", "b"}, []string{"build needs one argument"}},
		"inspect without a file":  {[]string{"inspect"}, []string{"inspect needs one argument", "file"}},
		"workers without a name":  {run("--workers", "3"), []string{`--workers is "3"`, "CONTROLLER=N"}},
		"workers without number":  {run("--workers", "good=many"), []string{"--workers good=many", "no number of workers"}},
		"no workers":              {run("--workers", "good=0"), []string{"--workers good=0", "1 or more"}},
		"two faults at once":      {run("--workers", "good=0", "--config", "good=/nope.json"), []string{"1 or more", "/nope.json does not exist"}},
		"config is not there":     {run("--config", "good=/nope.json"), []string{"/nope.json does not exist", "check the path"}},
		"config is not JSON":      {run("--config", "good="+notJSON), []string{"--config good=" + notJSON, "not JSON"}},
		"user without a name":     {run("--user", "=jane"), []string{`--user is "=jane"`, "CONTROLLER=USER"}},
		"log level":               {run("--log-level", "loud"), []string{`--log-level is "loud"`, "debug, info, warn, error"}},
		"log format":              {run("--log-format", "xml"), []string{`--log-format is "xml"`, "text or json"}},
		"time without a unit":     {run("--call-timeout", "5"), []string{`--call-timeout can't be "5"`, "loopdock run --help"}},
		"negative time":           {run("--call-timeout", "-5s"), []string{"--call-timeout is -5s", "0 or more"}},
		"number that is none":     {run("--memory-mib", "lots"), []string{`--memory-mib can't be "lots"`}},
		"no memory":               {run("--memory-mib", "0"), []string{"--memory-mib is 0", "between 1 and 4096"}},
		"address without port":    {run("--metrics-address", "localhost"), []string{`--metrics-address is "localhost"`, "HOST:PORT"}},
		"port that is none":       {run("--metrics-address", "localhost:http"), []string{"--metrics-address", "65535"}},
		"negative nodes":          {[]string{"dev", "--module", good, "--nodes", "-1"}, []string{"--nodes is -1", "0 or more"}},
		"negative requests":       {run("--qps", "-1"), []string{"--qps is -1", "0 or more"}},
		"module is not there":     {[]string{"run", "--module", "nope.wasm"}, []string{"module nope.wasm does not exist", "check the path"}},
		"module below a file":     {[]string{"run", "--module", good + "/x.wasm"}, []string{good + "/x.wasm", "not a directory", "check the path"}},
		"module is a device":      {[]string{"run", "--module", os.DevNull}, []string{os.DevNull, "neither a file nor a folder"}},
		"inspected is not there":  {[]string{"inspect", "nope.wasm"}, []string{"module nope.wasm does not exist", "check the path"}},
		"inspected is a folder":   {[]string{"inspect", filepath.Dir(good)}, []string{"is a folder", "name a file"}},
		"guest is not there":      {[]string{"build", "nope"}, []string{"guest folder nope does not exist", "check the path"}},
		"guest is a file":         {[]string{"build", good}, []string{good, "is a file", "folder of a guest"}},
		"output folder not there": {[]string{"build", "--output", "/nope/x.wasm", filepath.Dir(good)}, []string{"output folder /nope does not exist"}},
		"output is a folder":      {[]string{"build", "--output", filepath.Dir(good), filepath.Dir(good)}, []string{"is a folder", "name a file"}},
		"version with a space":    {[]string{"build", "--module-version", "v1 -X x", filepath.Dir(good)}, []string{"--module-version", "neither spaces nor quotes"}},
	} {
		t.Run(name, func(t *testing.T) { refused(t, c.args, c.want...) })
	}
}

func TestUnreadableModules(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	good := file(t, "good.wasm", doNothing("good", nil))
	dir := filepath.Dir(good)
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	for _, args := range [][]string{{"run", "--module", good}, {"run", "--module", dir}, {"inspect", good}} {
		refused(t, args, dir, "may not be read", "permissions")
	}
}
