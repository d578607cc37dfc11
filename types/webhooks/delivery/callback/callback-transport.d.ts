import http from 'node:http';
import https from 'node:https';
/** What axios makes requests with: like node:http and node:https, but bounded in what comes before the answer. */
export declare const callbackTransport: {
    /** Begins a request; it fails when too many interim answers come. */
    request(options: https.RequestOptions, answered: (answer: http.IncomingMessage) => void): http.ClientRequest;
};
