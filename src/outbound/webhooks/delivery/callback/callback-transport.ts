import http from 'node:http';
import https from 'node:https';

/** Interim answers (1xx) to one request; a receiver that sends them without end would keep the process busy. */
const MOST_INTERIM = 16;

/** What axios makes requests with: like node:http and node:https, but bounded in what comes before the answer. */
export const callbackTransport = {
  /** Begins a request; it fails when too many interim answers come. */
  request(
    options: https.RequestOptions,
    answered: (answer: http.IncomingMessage) => void,
  ): http.ClientRequest {
    const { request: begin } = options.protocol === 'https:' ? https : http;
    const request = begin(options, answered);
    let interim = 0;
    request.on('information', () => {
      if (++interim > MOST_INTERIM) request.destroy(new Error('There were too many interim answers.'));
    });
    // Without a listener, Node closes the connection and says nothing.
    request.on('upgrade', (_answer, socket) => {
      socket.destroy();
      request.emit('error', new Error('The answer was in another protocol.'));
    });
    return request;
  },
};
