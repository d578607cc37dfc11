import { hash } from 'node:crypto';
import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** How an entity tag of Express has the digest: 27 characters of Base64, without the padding. */
const DIGEST_LENGTH = 27;

/**
 * Answers with what a handler returns, as Express does it, where that is an ordinary object or a JSON text, and nothing about
 * request and response is out of the ordinary: Express reads and writes each header several times.
 * @returns false for all others, which are left to Express
 */
export function respondJson(response: Response, body: unknown, statusCode: number | undefined): boolean {
  if (!isOrdinary(response, statusCode)) return false;
  const text = textOf(body, response.getHeader('Content-Type'));
  if (text === undefined) return false;
  if (statusCode !== undefined) response.statusCode = statusCode;
  const length = Buffer.byteLength(text);
  response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Content-Length', length);
  response.setHeader('ETag', tagOf(text, length));
  response.end(text);
  return true;
}

function isOrdinary(response: Response, statusCode = response.statusCode): boolean {
  const { method, headers } = response.req;
  return (
    method !== 'HEAD' &&
    headers['if-none-match'] === undefined &&
    headers['if-modified-since'] === undefined &&
    !WITHOUT_BODY.has(statusCode) &&
    !response.hasHeader('ETag') &&
    !response.hasHeader('Transfer-Encoding')
  );
}

/** The JSON text of a body, given the type that is set for it; undefined for what is none. */
function textOf(body: unknown, type: unknown): string | undefined {
  if (typeof body === 'string') return type === 'application/json' || type === JSON_TYPE ? body : undefined;
  const isObject = typeof body === 'object' && body !== null && type === undefined;
  const isPlain =
    isObject && !(body instanceof StreamableFile || body instanceof Error || ArrayBuffer.isView(body));
  return isPlain ? JSON.stringify(body) : undefined;
}

/** The weak entity tag that Express makes of a text. @param length in bytes */
function tagOf(text: string, length: number): string {
  return `W/"${length.toString(16)}-${hash('sha1', text, 'base64').slice(0, DIGEST_LENGTH)}"`;
}
