package main

import sdk "github.com/loopdock/loopdock/sdk-go"

var sliceSchema = []byte(`{
  "type": "object",
  "properties": {
    "maxEndpointsPerSlice": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}
  }
}`)

var mirrorSchema = []byte(`{
  "type": "object",
  "properties": {
    "mirroringMaxEndpointsPerSubset": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 1000}
  }
}`)

// mostEndpoints is what the API server takes in one slice.
const mostEndpoints = 1000

// limit is how many endpoints a slice holds at most.
func limit(r *sdk.Reconcile, name string, otherwise int) int {
	return min(max(1, r.SettingInt(name, otherwise)), mostEndpoints)
}
