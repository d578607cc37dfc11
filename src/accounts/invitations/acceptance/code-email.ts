import { html } from '../../../kernel/common';
import { emailHtml, plainName } from '../../mail';

/** Subject, text and HTML of the email with a code. */
export function codeEmail(orgName: string, code: string): { subject: string; text: string; html: string } {
  const org = plainName(orgName);
  const subject = `${code} is your code to join ${org}`;
  const warning =
    'If you have an account, the code signs in to all of it. If you are not accepting an invitation right now, somebody else entered your address: do not pass this code on to anybody, whoever asks for it.';
  return {
    subject,
    text: `Your code to join ${org}:\n\n    ${code}\n\nEnter it on the page of the invitation within 10 minutes.\n\n${warning}`,
    html: emailHtml({
      subject,
      preview: `Enter it on the page of the invitation within 10 minutes.`,
      heading: html`Your code to join ${org}`,
      body: [
        html`<span style="font-family:ui-monospace,Menlo,Consolas,monospace;font-size:34px;letter-spacing:8px"
          >${code}</span
        >`,
        html`Enter it on the page of the invitation within <strong>10 minutes</strong>.`,
      ],
      footer: warning,
    }),
  };
}
