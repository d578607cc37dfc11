import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as received over SMTP. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as sent. */
  readonly raw: string;
  readonly secure: boolean;
  readonly user: string | undefined;
}

/** The mail server's reply to a command: null accepts it. */
export type Refusal = { readonly code: number; readonly text: string } | null;

/** A real mail server on loopback that records all mails. */
export interface SmtpSink {
  readonly port: number;
  /** For `SMTP_URL`. */
  readonly url: string;
  readonly received: ReceivedMail[];
  /** Called for every recipient; the reply waits for it. */
  refuseRecipient: (address: string) => Refusal | Promise<Refusal>;
  /** Called when a message is complete; the reply waits for it. */
  refuseMessage: (mail: ReceivedMail) => Refusal | Promise<Refusal>;
  close(): Promise<void>;
}

/** Starts a mail server, optionally with options of smtp-server and on a given port. */
export async function startSmtpSink(options: SMTPServerOptions = {}, port = 0): Promise<SmtpSink> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    ...options,
    onRcptTo: ({ address }, _session, callback) =>
      void Promise.resolve(sink.refuseRecipient(address)).then((refusal) => callback(errorOf(refusal))),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail: ReceivedMail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
          secure: session.secure,
          user: textOf(session.user),
        };
        void Promise.resolve(sink.refuseMessage(mail)).then((refusal) => {
          if (refusal === null) received.push(mail);
          callback(errorOf(refusal));
        });
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.server.address() as AddressInfo;
  const sink: SmtpSink = {
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    refuseRecipient: () => null,
    refuseMessage: () => null,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
  return sink;
}

function errorOf(refusal: Refusal): Error | null {
  return refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The headers of a mail, unfolded and decoded, by lower-case name, with repeated ones. */
export function headersOf({ raw }: ReceivedMail): Map<string, string[]> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const headers = new Map<string, string[]>();
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), plainWords(line.slice(colon + 1).trim())]);
  }
  return headers;
}

/** Decodes encoded words (RFC 2047, as nodemailer writes them). */
function plainWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decoded(word.replaceAll('_', ' '), 'quoted-printable'),
    );
}

/** The decoded parts of a mail, by content type. */
export function partsOf({ raw }: ReceivedMail): { text: string; html: string } {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? '';
  const part = (type: string): string => {
    const found = raw.split(`--${boundary}`).find((piece) => piece.includes(`Content-Type: ${type}`)) ?? '';
    const start = found.indexOf('\r\n\r\n') + 4;
    return decoded(found.slice(start), /content-transfer-encoding: (\S+)/i.exec(found)?.[1] ?? '7bit');
  };
  return { text: part('text/plain'), html: part('text/html') };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
