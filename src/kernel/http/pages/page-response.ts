import type { Request, Response } from 'express';
import { removeIgnoredHeaders, setPageHeaders } from './page-headers';
import { PAGE_POLICY } from './page-layout';

/** A page for people, and the status it is sent with. */
export interface PageResponse {
  readonly status: number;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a page that is for one person: no cache keeps it. */
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

/** Leads a browser to another page of the service, after a form or where somebody has to sign in first. */
export function redirectPage(
  request: Request,
  response: Response,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  removeIgnoredHeaders(request, response);
  const status = request.method === 'POST' ? 303 : 302;
  response.set({ 'Cache-Control': 'no-store', Vary: 'Cookie', ...headers }).redirect(status, path);
}
