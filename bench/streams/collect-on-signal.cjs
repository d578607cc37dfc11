// Collects garbage when it is told to, the last of it, and gives the room for new objects back: what is measured then is in use.
process.on('SIGUSR2', () => globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }));
