package meter

// This file writes what charges. Fuel and stack are charged by subtraction, and
// one function is called where either falls below zero: it tells them apart. The
// call is the exception, so all that it needs is kept out of the way.

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
	r.info.Charges++
	return r.appendTest(appendGlobal(r.appendFuel(b, cost), opGlobalGet, r.fuel))
}

func (r *rewriter) appendFuel(b []byte, cost uint64) []byte {
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
	b = append(b, opI64Const, 0, opI64LtS, opIf, noResult, opCall)
	return append(appendU32(b, r.slow), opEnd)
}

// slowCode ends the guest if it has no stack left, and else gets fuel.
func (r *rewriter) slowCode() []byte {
	b := appendGlobal(nil, opGlobalGet, r.stack)
	b = append(b, opI64Const, 0, opI64LtS, opIf, noResult, opUnreachable, opEnd)
	b = append(appendGlobal(b, opGlobalGet, r.fuel), opCall)
	b = appendU32(b, r.refill)
	return append(appendGlobal(b, opGlobalSet, r.fuel), opEnd)
}

func appendGlobal(b []byte, op byte, index uint32) []byte { return appendU32(append(b, op), index) }
