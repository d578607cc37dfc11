/** A mail server in a process of its own that accepts and discards every mail. Reports its port over IPC. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  logger: false,
  onData(stream, _session, callback) {
    stream.resume();
    stream.on('end', () => callback());
  },
});
server.listen(0, '127.0.0.1', () => process.send?.((server.server.address() as AddressInfo).port));
