package host

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"

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

// CheckConnection asks the API server who the host is. The error is a
// *ConnectionError that tells an unreachable server from a wrong certificate
// and from refused credentials.
func (h *Host) CheckConnection(ctx context.Context) error {
	client, err := kubernetes.NewForConfigAndClient(h.cfg.REST, h.client)
	if err != nil {
		return fmt.Errorf("cannot use the connection: %w", err)
	}
	_, err = client.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err == nil {
		return nil
	}
	return connectionError(h.cfg.REST.Host, err)
}

func connectionError(server string, err error) *ConnectionError {
	out := &ConnectionError{Server: server, Cause: err}
	unknownCA, badHost, badCert := x509.UnknownAuthorityError{}, x509.HostnameError{}, x509.CertificateInvalidError{}
	verification := &tls.CertificateVerificationError{}
	netErr := &net.OpError{}
	urlErr := &url.Error{}
	switch {
	case errors.As(err, &unknownCA), errors.As(err, &badHost), errors.As(err, &badCert), errors.As(err, &verification):
		out.Reason, out.hint = "its certificate is not trusted: "+innermost(err).Error(), "check certificate-authority and server in the kubeconfig"
	case apierrors.IsUnauthorized(err):
		out.Reason, out.hint = "the credentials are refused", "check the user in the kubeconfig, or its token's expiry"
	case apierrors.IsForbidden(err):
		out.Reason, out.hint = "the user may not ask who it is", "bind the user to the cluster role system:basic-user"
	case errors.As(err, &netErr):
		out.Reason, out.hint = "it is not reachable: "+innermost(netErr).Error(), "check that it runs and that the server in the kubeconfig is right"
	case errors.As(err, &urlErr):
		out.Reason, out.hint = "it is not reachable: "+innermost(urlErr.Err).Error(), "check that it runs and that the server in the kubeconfig is right"
	default:
		out.Reason, out.hint = err.Error(), "check the kubeconfig"
	}
	return out
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
