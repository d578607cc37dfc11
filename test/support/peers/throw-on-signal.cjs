/** Loaded into a service: lets a test choose what goes wrong in its process. */
const { connect, createServer } = require('node:net');

/** A connection that its peer resets, and that nobody listens to. */
process.on('SIGUSR2', () => {
  const server = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
  server.unref().listen(0, '127.0.0.1', () => connect(server.address().port, '127.0.0.1').write('x'));
});

/** A programming error. */
process.on('SIGHUP', () => setTimeout(() => undefined.any, 1));
