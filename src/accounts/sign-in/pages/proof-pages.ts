import { html } from '../../../kernel/common';
import { codeField, page } from '../../../kernel/http';
import type { ShownProof } from '../proofs/sign-in-proofs.read-model';
import { CODE_PATH, LINK_PATH, LOGIN_PATH } from '../session/sign-in-paths';

/** What the page with the field for a code shows. */
interface CodeState {
  /** The base path in front of the paths of the service. */
  readonly base: string;
  readonly email: string;
  readonly returnTo: string;
  readonly problem: string | null;
}

/** The page on which a mailed code is entered; the same for addresses that nobody has. */
export function codePage({ base, email, returnTo, problem }: CodeState): string {
  return page('Sign in', [
    html`<h1>Look into your mail</h1>
      ${problem === null ? null : html`<p class="alert" role="alert">${problem}</p>`}
      <p>
        If there is an account for ${email}, six digits and a link are on their way there. They work for 10
        minutes.
      </p>
      <form method="post" action="${base}${CODE_PATH}">
        <input type="hidden" name="email" value="${email}" />
        <input type="hidden" name="returnTo" value="${returnTo}" />
        ${codeField()}
        <button type="submit">Sign in</button>
      </form>
      <p class="soft"><a href="${base}${LOGIN_PATH}">Have another one sent, or use a key</a></p>`,
  ]);
}

/**
 * The page that a link opens: programs that look at links in mails open it, too, so a button uses it up. It names nobody.
 * @param proof null for a link that does not work
 */
export function linkPage(base: string, token: string, proof: ShownProof | null): string {
  if (proof === null)
    return page('Sign in', [
      html`<h1>This link does not work</h1>
        <p>It was used, or has expired. <a href="${base}${LOGIN_PATH}">Sign in another way</a></p>`,
    ]);
  const where = proof.org_name === null ? null : html`, in ${proof.org_name} only`;
  return page('Sign in', [
    html`<h1>Sign in</h1>
      <p>This link signs you in${where}.</p>
      <form method="post" action="${base}${LINK_PATH}">
        <input type="hidden" name="token" value="${token}" />
        <button type="submit">Sign in</button>
      </form>`,
  ]);
}

/** The page in place of that of a link which was not tried. */
export function untriedLinkPage(message: string): string {
  return page('Sign in', [
    html`<h1>Not now</h1>
      <p>${message} The link still works.</p>`,
  ]);
}
