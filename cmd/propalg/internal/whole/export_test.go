package whole

// EditAtOnce is Edit that does not wait for other processes.
func EditAtOnce(name string) (*File, error) { return edit(name, 0) }
