/** A browser as far as following redirects and sending forms goes, with the cookies of each host and port. */
export class FormBrowser {
  private readonly cookies = new Map<string, Map<string, string>>();

  /** @param answered is told how long each response took, in milliseconds */
  constructor(private readonly answered: (url: URL, ms: number) => void = () => undefined) {}

  /**
   * Opens a page, or sends a form, and follows redirects.
   * @returns the page that it ends at
   */
  async open(
    address: string,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ url: URL; html: string; status: number }> {
    let url = new URL(address);
    let sent = form;
    for (let hop = 0; hop < 20; hop++) {
      const began = performance.now();
      const response = await fetch(url, {
        method: sent === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: { Cookie: this.cookiesOf(url), 'Sec-Fetch-Site': 'same-origin', Origin: url.origin },
        ...(sent !== undefined && { body: new URLSearchParams(sent) }),
      });
      this.answered(url, performance.now() - began);
      this.keep(url, response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (location === null) return { url, html: await response.text(), status: response.status };
      url = new URL(location, url);
      sent = undefined;
    }
    throw new Error(`Redirects without an end, at ${url.href}.`);
  }

  /** The value of `Cookie` for a host and port. */
  cookiesOf({ host }: URL): string {
    return [...(this.cookies.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private keep({ host }: URL, lines: readonly string[]): void {
    const own = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, own);
    for (const line of lines) {
      const [pair = ''] = line.split(';', 1);
      const at = pair.indexOf('=');
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) own.delete(pair.slice(0, at));
      else own.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }
}
