// Collects garbage when it is told to: what is measured then is in use.
process.on('SIGUSR2', () => globalThis.gc());
