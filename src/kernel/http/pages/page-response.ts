import { AppError } from '../../common';
import type { Request, Response } from 'express';
import { PAGE_POLICY } from './page-layout';

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

/** A page for people, and the status it is sent with. */
export interface PageResponse {
  readonly status: number;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a personal page, which no cache may store. */
export function sendPage(
  request: Request,
  response: Response,
  { status, html, headers = {} }: PageResponse,
): void {
  setPageHeaders(request, response, PAGE_POLICY);
  response
    .status(status)
    .set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', ...headers })
    .type('html')
    .send(html);
}

/** Redirects a browser within the service, after a form or to the sign-in, or to where somebody signs in. */
export function redirectPage(
  request: Request,
  response: Response,
  path: string,
  headers: Readonly<Record<string, string | string[]>> = {},
): void {
  removeIgnoredHeaders(request, response);
  const status = request.method === 'POST' ? 303 : 302;
  response.set({ 'Cache-Control': 'no-store', Vary: 'Cookie', ...headers }).redirect(status, path);
}

/** Why a form was refused, and the status of the page that reports it. */
export interface Refusal extends Required<Pick<PageResponse, 'status' | 'headers'>> {
  readonly message: string;
  /** Whether the credential that was entered does not work. */
  readonly isWrong: boolean;
}

/**
 * What a page says of an error. What was entered wrongly is no 401 there, which would say that the page can be had with a
 * credential in a header.
 * @throws errors that the browser did not cause
 */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  const { status, headers, message } = error;
  return status === 401
    ? { status: 403, headers: {}, message, isWrong: true }
    : { status, headers, message, isWrong: false };
}
