import type { Request, Response } from 'express';

/** Browsers log an error for these headers on a connection they do not trust: plain http to another machine. */
const FOR_TRUSTED_CONNECTIONS = ['Cross-Origin-Opener-Policy', 'Origin-Agent-Cluster'];

/** Sets the headers of all pages for people. */
export function setPageHeaders(request: Request, response: Response, policy: string): void {
  response.set({
    'Content-Security-Policy': policy,
    'X-Frame-Options': 'DENY',
    // Over plain http, only `Origin` says which page sent a form; other sites see nothing of the paths.
    'Referrer-Policy': 'same-origin',
  });
  removeIgnoredHeaders(request, response);
}

/** Removes headers that the browser would ignore with a warning. */
export function removeIgnoredHeaders(request: Request, response: Response): void {
  // Browsers send this header only over connections that they trust.
  if (request.headers['sec-fetch-site'] === undefined)
    for (const header of FOR_TRUSTED_CONNECTIONS) response.removeHeader(header);
}
