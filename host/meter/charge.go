package meter

// This file writes what charges. Fuel and stack are charged by subtraction, and
// one function is called where either is seen below zero: it tells them apart.
//
// The look is what costs: past it, the compiler has forgotten which registers hold
// what and which addresses are in range. So a basic block only subtracts, and
// there is a look where code may go on for long: at each loop, in each function
// that calls or loops, in bulk instructions, and where so much was subtracted
// since that it matters.
//
// The call is the else of an if, though it is the exception: the compiler goes on
// after an if with the registers as they are at the end of its first half.

// appendEntry writes what a function begins with: it charges the frame, unless it
// is zero, and the first basic block.
func (r *rewriter) appendEntry(b []byte, frame int64, cost uint64) []byte {
	if frame == 0 {
		if cost > 0 {
			b = r.appendCharge(b, cost)
		}
		return b
	}
	b = r.appendStack(b, frame, opI64Sub)
	if cost > 0 {
		b = r.appendFuel(b, cost)
	}
	b = appendGlobal(b, opGlobalGet, r.stack)
	if cost > 0 {
		b = append(appendGlobal(b, opGlobalGet, r.fuel), opI64Or) // one test for both
	}
	return r.appendTest(b)
}

// appendCharge charges a basic block.
func (r *rewriter) appendCharge(b []byte, cost uint64) []byte {
	return r.appendTest(appendGlobal(r.appendFuel(b, cost), opGlobalGet, r.fuel))
}

// appendFuel subtracts, and does not look.
func (r *rewriter) appendFuel(b []byte, cost uint64) []byte {
	r.info.Charges++
	b = append(appendGlobal(b, opGlobalGet, r.fuel), opI64Const)
	b = append(appendSigned(b, int64(cost)), opI64Sub) //nolint:gosec // limited
	return appendGlobal(b, opGlobalSet, r.fuel)
}

// appendStack takes a frame from the stack that is left, or gives it back.
func (r *rewriter) appendStack(b []byte, frame int64, op byte) []byte {
	b = append(appendGlobal(b, opGlobalGet, r.stack), opI64Const)
	return appendGlobal(append(appendSigned(b, frame), op), opGlobalSet, r.stack)
}

// appendTest calls slow if what is on the stack is negative.
func (r *rewriter) appendTest(b []byte) []byte {
	r.info.Checks++
	b = append(b, opI64Const, 0, opI64GeS, opIf, noResult, opElse, opCall)
	return append(appendU32(b, r.slow), opEnd)
}

// slowCode ends the guest if it has no stack left, and else gets fuel, or ends it
// where there is none.
func (r *rewriter) slowCode() []byte {
	b := appendGlobal(nil, opGlobalGet, r.stack)
	b = append(b, opI64Const, 0, opI64LtS, opIf, noResult, opUnreachable, opEnd)
	b = append(appendGlobal(b, opGlobalGet, r.fuel), opCall)
	b = appendGlobal(appendU32(b, r.refill), opGlobalSet, r.fuel)
	b = append(appendGlobal(b, opGlobalGet, r.fuel), opI64Const, 0, opI64LtS, opIf, noResult)
	b = appendSigned(append(b, opI64Const), OutOfFuel)
	return append(appendGlobal(b, opGlobalSet, r.fuel), opUnreachable, opEnd, opEnd)
}

func appendGlobal(b []byte, op byte, index uint32) []byte { return appendU32(append(b, op), index) }
