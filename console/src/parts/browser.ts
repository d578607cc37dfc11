import { say, texts } from '../text';

/** What of a browser's own words says which it is: of several the first, since most also name those that they are like. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|Chromium|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** A browser as people know it: "Firefox on Linux". What is not known stays in the browser's own words. */
export function browserOf(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return texts.keys.unknownBrowser;
  const [browser] = BROWSERS.find(([, sign]) => sign.test(userAgent)) ?? [];
  const [system] = SYSTEMS.find(([, sign]) => sign.test(userAgent)) ?? [];
  if (browser === undefined || system === undefined) return userAgent;
  return say(texts.keys.browserOn, { browser, system });
}
