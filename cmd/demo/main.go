// Command demo plays Loopdock's story on a real control plane. A ReplicaSet
// controller that is a .wasm file makes pods, scales them, heals them, and is
// replaced by another version while it works. Then seven such modules work
// together: a Deployment rolls out, a Service gets its slices, a node dies and its
// pods move, an owner is deleted and its dependents go.
//
// It runs the built programs as a user would. With -once it ends by itself, and
// exits 0 only if each step was seen to happen; without, it stays up until
// Ctrl-C.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/cmd/docking"
	"github.com/loopdock/loopdock/cmd/plane"
)

func main() {
	bin := flag.String("bin", ".build/bin", "folder of the built programs")
	guests := flag.String("guests", ".build/guests", "folder of the built guests")
	once := flag.Bool("once", false, "end after the story, and exit 0 only if each step was seen to happen")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	start := time.Now()
	err := play(ctx, *bin, *guests, *once)
	switch {
	case err != nil && (*once || !errors.Is(err, context.Canceled)):
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	case *once:
		fmt.Printf("\nEvery step was seen to happen, in %.1f s.\n", time.Since(start).Seconds())
	}
}

// play sets the stage, tells the story, and stays if asked to.
func play(ctx context.Context, bin, guests string, once bool) (err error) {
	const rest = "namespace-controller" // which empties Namespaces; no guest does yet
	admit := true                       // pods only where the guest has made their ServiceAccount
	say("Starting a control plane: etcd, kube-apiserver, kube-scheduler, 3 fake nodes, and of kube-controller-manager the %s", rest)
	p, err := plane.Start(ctx, plane.Config{
		Binary: bin + "/devplane", Nodes: 3, Scheduler: true, Controllers: rest, ServiceAccountAdmission: &admit, Stderr: &docking.Lines{To: os.Stdout, Style: aside},
	})
	if err != nil {
		return err
	}
	defer p.Stop()
	config, err := p.RESTConfig()
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	h, err := startHost(ctx, bin, guests, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.stop()) }()
	s := &story{client: client, host: h, guests: guests}
	if err := s.tell(ctx); err != nil {
		return err
	}
	anyKind, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	t := &teamStory{client: client, dynamic: anyKind}
	if err := t.tell(ctx); err != nil {
		return err
	}
	if once {
		return nil
	}
	fmt.Printf("\nAll of it stays up until you press Ctrl-C. In another terminal:\n\n"+
		"  export KUBECONFIG=%s\n  kubectl get replicasets,pods\n  kubectl scale replicaset web --replicas=7\n\n", p.Kubeconfig())
	select {
	case <-ctx.Done():
		return nil
	case <-h.Done():
		return h.Err()
	}
}
