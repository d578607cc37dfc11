/** Reads an http or https address. @returns null for any other text, and with a user, password, query or fragment */
export function plainHttpUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '';
  return isPlain ? url : null;
}
