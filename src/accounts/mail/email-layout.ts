import { type Html, html } from '../../kernel/common';

/** The parts of an email's HTML. */
export interface EmailParts {
  readonly subject: string;
  /** The preview text that mail programs show next to the subject. */
  readonly preview: string;
  readonly heading: Html;
  readonly body: readonly Html[];
  readonly footer: string;
}

const FONT =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1f2733";

/** One column, no images, nothing fetched: readable in every mail program, narrow or wide. */
export function emailHtml({ subject, preview, heading, body, footer }: EmailParts): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:0;background:#f3f5f8">
        <div style="display:none;max-height:0;overflow:hidden">${preview}</div>
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f8">
          <tr>
            <td align="center" style="padding:32px 16px">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style="max-width:560px;background:#ffffff;border:1px solid #dfe4ea;border-radius:12px"
              >
                <tr>
                  <td style="padding:36px 32px 28px;${FONT};font-size:16px;line-height:1.55">
                    <h1 style="margin:0 0 20px;font-size:24px;line-height:1.25">${heading}</h1>
                    ${body.map((part) => html`<p style="margin:0 0 20px">${part}</p>`)}
                  </td>
                </tr>
                <tr>
                  <td
                    style="padding:20px 32px 26px;border-top:1px solid #dfe4ea;${FONT};font-size:13px;line-height:1.5"
                  >
                    <span style="color:#5b6472">${footer}</span>
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`.text;
}

/** A link that looks like a button. */
export function emailButton(link: string, label: string): Html {
  return html`<a
    href="${link}"
    style="display:inline-block;background:#1d4ed8;color:#ffffff;text-decoration:none;font-weight:600;padding:14px 26px;border-radius:8px"
    >${label}</a
  >`;
}

const MAX_NAME = 100;

/** A name on one line and of readable length: users choose it freely, and subjects contain it. */
export function plainName(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= MAX_NAME ? line : `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}
