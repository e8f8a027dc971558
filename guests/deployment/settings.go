package main

import sdk "github.com/loopdock/loopdock/sdk-go"

// settings is what an operator may set; the defaults are upstream's.
type settings struct {
	// terminatingReplicas counts terminating Pods in the status.
	terminatingReplicas bool
}

var settingsSchema = []byte(`{
  "type": "object",
  "properties": {
    "terminatingReplicas": {"type": "boolean", "default": true}
  }
}`)

func readSettings(r *sdk.Reconcile) settings {
	return settings{terminatingReplicas: r.SettingBool("terminatingReplicas", true)}
}
