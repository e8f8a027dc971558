package main

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// resources are those that scenarios name.
var resources = map[string]schema.GroupVersionResource{
	"namespaces":      {Version: "v1", Resource: "namespaces"},
	"nodes":           {Version: "v1", Resource: "nodes"},
	"pods":            {Version: "v1", Resource: "pods"},
	"services":        {Version: "v1", Resource: "services"},
	"endpoints":       {Version: "v1", Resource: "endpoints"},
	"configmaps":      {Version: "v1", Resource: "configmaps"},
	"secrets":         {Version: "v1", Resource: "secrets"},
	"serviceaccounts": {Version: "v1", Resource: "serviceaccounts"},
	"resourcequotas":  {Version: "v1", Resource: "resourcequotas"},
	"events":          {Version: "v1", Resource: "events"},

	"replicasets":    {Group: "apps", Version: "v1", Resource: "replicasets"},
	"deployments":    {Group: "apps", Version: "v1", Resource: "deployments"},
	"jobs":           {Group: "batch", Version: "v1", Resource: "jobs"},
	"cronjobs":       {Group: "batch", Version: "v1", Resource: "cronjobs"},
	"leases":         {Group: "coordination.k8s.io", Version: "v1", Resource: "leases"},
	"endpointslices": {Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices"},
	"clusterroles":   {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"},

	"customresourcedefinitions": {Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"},
}

// clusterScoped are those of them that have no namespace.
var clusterScoped = map[string]bool{
	"namespaces": true, "nodes": true, "clusterroles": true, "customresourcedefinitions": true,
}

// byKind finds the resource of an object in a scenario's YAML.
var byKind = map[string]string{
	"Namespace": "namespaces", "Node": "nodes", "Pod": "pods", "Service": "services", "Endpoints": "endpoints",
	"ConfigMap": "configmaps", "Secret": "secrets", "ServiceAccount": "serviceaccounts", "ResourceQuota": "resourcequotas",
	"ReplicaSet": "replicasets", "Deployment": "deployments", "Job": "jobs", "CronJob": "cronjobs", "Lease": "leases",
	"EndpointSlice": "endpointslices", "ClusterRole": "clusterroles", "CustomResourceDefinition": "customresourcedefinitions",
}

// lookUp finds a resource: one of the above, or a custom one, written as
// widgets.v1.example.com.
func lookUp(resource string) schema.GroupVersionResource {
	if gvr, ok := resources[resource]; ok {
		return gvr
	}
	parts := strings.SplitN(resource, ".", 3)
	for len(parts) < 3 {
		parts = append(parts, "")
	}
	return schema.GroupVersionResource{Resource: parts[0], Version: parts[1], Group: parts[2]}
}
