import { isIP } from 'node:net';
import type SMTPPool from 'nodemailer/lib/smtp-pool';

/** Connections of the pool to the mail server. */
const CONNECTIONS = 8;
const CONNECT_MS = 10_000;
const REPLY_MS = 30_000;

/**
 * Options of the connection pool for an `SMTP_URL`. What the address says in its query (`?requireTLS=true`)
 * wins. A password is sent unencrypted to a server on this machine only: elsewhere it requires STARTTLS.
 */
export function smtpOptions(smtpUrl: string): SMTPPool.Options & { pool: true } {
  const url = new URL(smtpUrl);
  return {
    pool: true,
    url: smtpUrl,
    requireTLS: url.protocol === 'smtp:' && url.username !== '' && !isLoopback(url.hostname),
    maxConnections: CONNECTIONS,
    maxMessages: 1_000,
    // Only messages of which not a byte was sent; everything else is a new attempt of the job.
    maxRequeues: 1,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: REPLY_MS,
  };
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '[::1]') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}
