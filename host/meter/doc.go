// Package meter rewrites WebAssembly modules so that they count what they spend.
//
// Compiled code cannot be stopped from outside: while it runs, Go can neither
// collect garbage nor schedule. So a module is changed before it is compiled:
//
//   - Each basic block pays for its instructions before they run, from a counter
//     of fuel. Small blocks are paid together with what runs before them.
//   - Instructions on many bytes or elements pay by length, and do a chunk at a
//     time.
//   - Calls pay for their frames, from a counter of stack, and are paid back.
//   - At each loop, in each function that calls or loops, and where much was paid
//     since, the code looks whether either counter fell below zero. Without stack
//     it traps. Without fuel it calls the host, which gives more or refuses.
//
// The counters are globals after the module's own, which its code has no way to
// name. What the module computes, and where it traps, does not change while there
// is fuel and stack.
//
// Promises, each with a test:
//
//  1. A module is validated in full, by WebAssembly 2.0, and held against Limits
//     before anything is written; what is not known here is refused by an error
//     that says what it is and where.
//  2. A metered module computes the same results and traps in the same places as
//     the plain one, as long as it gets fuel and stack.
//  3. Whatever runs for long spends fuel and looks at it. Between two looks, one
//     way through a function spends some thousand units at most, and what one
//     instruction costs.
//  4. The same module and configuration give the same bytes.
//  5. After a trap the counters tell why: no stack, no fuel, or the guest's own
//     doing.
//  6. Functions are renumbered wherever they are named, the name section included.
//     Custom sections are kept, but for those that speak of places in the code.
//
// # What a host does
//
// Call Rewrite before the module is compiled, and compile what it gives. Offer the
// function ImportModule.ImportRefill, (left i64) -> (fuel i64). It is called when
// the counter is below zero, with what the counter holds, so that the guest has
// spent what it was last given less what is left. The function lets Go schedule
// (runtime.Gosched), looks at deadlines and totals, and answers with the next
// slice; or with a negative number, which ends the call by a trap. It may also
// panic, as any host function, with an error of its own. It must not call into the
// guest.
//
// The globals ExportFuel and ExportStack are exports, added to the module's own.
// A call spends what ExportFuel held before it and was given meanwhile, less what
// it holds after: it may be a little below zero. Set it to a slice before a call
// if each is to have its own. A host function that copies bytes subtracts from
// ExportFuel one unit for each BytesPerUnit, before it copies; a call's fixed part
// is paid by the guest.
//
// After a call that ended by "unreachable": if ExportStack is negative, it had no
// stack left; if ExportFuel is OutOfFuel, the refill was refused; else it was the
// guest's own. An instance that trapped has a wrong ExportStack, and is closed.
// The start function runs before there is an instance to ask: there, the host
// knows what it refused.
//
// Memories and tables that the module defines get a maximum, of Limits at most.
// memory.grow and table.grow pay for what they gain, but are not split, since half
// a growth could be seen: how long one takes is for these limits, and for the
// allocator of the memory, to say.
//
// # Prices
//
// The guests of this project take 1.1 to 1.3 times as long as plain, loops that
// do next to nothing up to 1.6 times, and an instruction that waits for memory
// costs no more than one that does not, so that a slice lasts longer for code that
// does. Rewriting takes 50 ms a megabyte, a sixth of what compiling takes.
package meter
