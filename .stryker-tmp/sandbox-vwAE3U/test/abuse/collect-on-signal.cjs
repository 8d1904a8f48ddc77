// Preloaded into the server under attack (needs --expose-gc): SIGUSR2 runs a full collection, so that the memory gauges
// show what is held and not what is yet to be collected.

process.on('SIGUSR2', () => globalThis.gc())
