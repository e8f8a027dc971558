// Viewgen writes the views in sdk-go/view from the generated.proto files that
// k8s.io/api and k8s.io/apimachinery ship, and takes the names of fields from
// the Go types beside them. It runs in the module whose go.mod chooses their
// versions:
//
//	go generate ./sdk-go/view
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("out", "sdk-go/view", "folder that the packages are written into")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "viewgen:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	files, err := generate()
	if err != nil {
		return err
	}
	for name, text := range files {
		name = filepath.Join(out, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil { //nolint:gosec // source is for everyone to read
			return err
		}
		if err := os.WriteFile(name, text, 0o644); err != nil { //nolint:gosec // source is for everyone to read
			return err
		}
	}
	return nil
}

// generate returns all generated files by their path under sdk-go/view.
func generate() (map[string][]byte, error) {
	dirs := map[string]string{}
	for _, module := range []string{apiModule, machineryModule} {
		dir, err := moduleDir(module)
		if err != nil {
			return nil, err
		}
		dirs[module] = dir
	}
	var inputs []input
	for _, s := range sources {
		dir := filepath.Join(dirs[s.module], filepath.FromSlash(s.dir))
		text, err := os.ReadFile(filepath.Join(dir, "generated.proto")) //nolint:gosec // a file of a module chosen in go.mod
		if err != nil {
			return nil, err
		}
		f, err := parseProto(s.module+"/"+s.dir+"/generated.proto", string(text))
		if err != nil {
			return nil, err
		}
		src, err := readGo(dir)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, input{s, f, src})
	}
	pkgs, err := build(inputs)
	if err != nil {
		return nil, err
	}
	files, types := map[string][]byte{}, typesOf(pkgs)
	for _, p := range pkgs {
		texts, err := emit(p, types)
		if err != nil {
			return nil, err
		}
		for name, text := range texts {
			files[p.out+"/"+name] = text
		}
	}
	return files, nil
}

func moduleDir(module string) (string, error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module) //nolint:gosec,noctx // one of two constants; ends by itself
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("cannot find the module %s: %w", module, err)
	}
	dir := strings.TrimSpace(string(out))
	if dir == "" {
		return "", fmt.Errorf("the module %s is not downloaded", module)
	}
	return dir, nil
}
