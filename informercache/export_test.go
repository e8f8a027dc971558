package informercache

// Waits tells whether somebody waits for the watch's next step.
func Waits(w *Watch) bool {
	s := w.watched.store
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.progress != nil
}
