import type { Request, Response } from 'express';

/** Headers that browsers report as an error where they do not trust the connection: plain http to another machine. */
const FOR_TRUSTED_CONNECTIONS = ['Cross-Origin-Opener-Policy', 'Origin-Agent-Cluster'];

/** Sets the headers that all pages of the web interface have. */
export function setPageHeaders(request: Request, response: Response, policy: string): void {
  response.set({
    'Content-Security-Policy': policy,
    'X-Frame-Options': 'DENY',
    // Over plain http, forms say by their origin alone where they come from; other sites learn nothing of the paths.
    'Referrer-Policy': 'same-origin',
  });
  leaveOutIgnoredHeaders(request, response);
}

/** Leaves out of a page, or of a redirection to one, what its browser would only complain of. */
export function leaveOutIgnoredHeaders(request: Request, response: Response): void {
  // Browsers send this one over connections that they trust.
  if (request.headers['sec-fetch-site'] === undefined)
    for (const header of FOR_TRUSTED_CONNECTIONS) response.removeHeader(header);
}
