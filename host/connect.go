package host

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	authv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// ConnectionError says why an API server can't be used.
type ConnectionError struct {
	Server string
	Reason string
	Cause  error
	hint   string
}

// Error implements error.
func (e *ConnectionError) Error() string {
	return fmt.Sprintf("cannot use the API server at %s: %s", e.Server, e.Reason)
}

// Unwrap gives the cause.
func (e *ConnectionError) Unwrap() error { return e.Cause }

// Hint says what to do about it.
func (e *ConnectionError) Hint() string { return e.hint }

// answerIn bounds the wait for an API server that takes connections and says
// nothing.
const answerIn = 20 * time.Second

// CheckConnection asks the API server who the host is. The error is a
// *ConnectionError that tells an unreachable server from a wrong certificate
// and from refused credentials.
func (h *Host) CheckConnection(ctx context.Context) error {
	client, err := kubernetes.NewForConfigAndClient(h.cfg.REST, h.client)
	if err != nil {
		return fmt.Errorf("cannot use the connection: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, answerIn)
	defer cancel()
	_, err = client.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err == nil {
		return nil
	}
	return connectionError(h.cfg.REST.Host, err)
}

func connectionError(server string, err error) *ConnectionError {
	out := &ConnectionError{Server: server, Cause: err}
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		out.Reason, out.hint = answerProblem(err, status.Status())
	} else {
		out.Reason, out.hint = transportProblem(err)
	}
	return out
}

const (
	checkServer = "check that it runs and that server in the kubeconfig is right"
	checkUser   = "check the user in the kubeconfig"
)

// answerProblem says what is wrong where the server has answered.
func answerProblem(err error, status metav1.Status) (reason, hint string) {
	switch {
	case apierrors.IsUnauthorized(err):
		return "the credentials are refused", "check the user in the kubeconfig, or its token's expiry"
	case apierrors.IsForbidden(err) && strings.Contains(status.Message, "system:anonymous"):
		return "it asks for credentials, and the kubeconfig has none", checkUser
	case apierrors.IsForbidden(err):
		return "the user may not ask who it is", "bind the user to the cluster role system:basic-user"
	case apierrors.IsNotFound(err):
		return "it does not know SelfSubjectReview", "it needs Kubernetes 1.28 or later; check server in the kubeconfig"
	default:
		return fmt.Sprintf("it answers %d %s to the question who we are", status.Code, http.StatusText(int(status.Code))), "check that server in the kubeconfig is an API server, and begins with https:// if it speaks TLS"
	}
}

// transportProblem says what is wrong where there was no answer.
func transportProblem(err error) (reason, hint string) {
	unknownCA, badHost, badCert := x509.UnknownAuthorityError{}, x509.HostnameError{}, x509.CertificateInvalidError{}
	verification := &tls.CertificateVerificationError{}
	netErr := &net.OpError{}
	switch {
	case errors.Is(err, context.Canceled):
		return "interrupted", ""
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("it does not answer within %s", answerIn), checkServer
	case errors.As(err, &unknownCA), errors.As(err, &badHost), errors.As(err, &badCert), errors.As(err, &verification):
		return "its certificate is not trusted: " + innermost(err).Error(), "check certificate-authority and server in the kubeconfig"
	case errors.Is(err, http.ErrSchemeMismatch):
		return "it speaks HTTP, not HTTPS", "check server in the kubeconfig"
	case strings.Contains(err.Error(), "getting credentials: "):
		_, cause, _ := strings.Cut(err.Error(), "getting credentials: ")
		return "its credentials can't be had: " + cause, checkUser
	case errors.As(err, &netErr) && netErr.Op == "remote error":
		return "it refuses our certificate: " + innermost(netErr).Error(), checkUser
	default:
		return "it is not reachable: " + innermost(err).Error(), checkServer
	}
}

func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}
