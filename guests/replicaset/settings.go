package main

import sdk "github.com/loopdock/loopdock/sdk-go"

// burst is how many Pods one reconcile creates or deletes at most, unless the
// operator says otherwise.
const burst = 500

// settings is what an operator may set; the defaults are upstream's.
type settings struct {
	burst int
	// deletionCost heeds what users say that deleting a Pod costs.
	deletionCost bool
	// terminatingReplicas counts terminating Pods in the status.
	terminatingReplicas bool
}

var settingsSchema = []byte(`{
  "type": "object",
  "properties": {
    "burstReplicas": {"type": "integer", "minimum": 1, "default": 500},
    "podDeletionCost": {"type": "boolean", "default": true},
    "terminatingReplicas": {"type": "boolean", "default": true}
  }
}`)

func readSettings(r *sdk.Reconcile) settings {
	return settings{
		burst:               max(1, r.SettingInt("burstReplicas", burst)),
		deletionCost:        r.SettingBool("podDeletionCost", true),
		terminatingReplicas: r.SettingBool("terminatingReplicas", true),
	}
}
