// Package writer performs the actions of a reconcile against the API server,
// and knows afterwards what became of each.
//
// It promises:
//
//  1. Nothing is sent that the controller's grant does not allow, and nothing
//     outside of what an action names: coordinates that would lead to another
//     path are refused.
//  2. No write is begun while the fence is closed. The fence is asked when a
//     request is handed to the transport, and once more before the first byte of
//     its body, without which the API server does nothing.
//  3. Bodies pass as bytes. Beyond metadata that an action asks to set, nothing in
//     them is read or changed, so that fields which nobody here knows survive.
//  4. A create happens once. A generated name is drawn here, so that after a lost
//     answer the object can be looked for; an object of a fixed name that our
//     owner controls already is success.
//  5. After a lost answer the object is read live. What stays unknown is told as
//     such, and Resolve must clear it up before the key runs again.
//  6. A request is sent again by itself only where the API server has said that
//     it was not performed: on 429 with a time to wait.
//  7. A Report names all versions that a cache must show before it is level with
//     these actions.
//  8. Results stand in the order of the actions, whatever the order of requests.
//
// # Notes
//
//   - A Writer is safe for any goroutine and starts none that outlives a call.
//   - A request whose connection broke may still be under way when the object is
//     looked for. The API server ends such requests, and is told with each one
//     how long to go on at most; what arrives later still is not noticed here.
//   - Request bodies are not kept; bodies in results are the caller's.
package writer
