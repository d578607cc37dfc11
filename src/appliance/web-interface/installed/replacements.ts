/** What is different in the installed build, wherever a pattern matches in its scripts and styles. */
export interface Replacement {
  /** What it is about, for a message where the build has no match. */
  readonly subject: string;
  readonly pattern: RegExp;
  readonly by: string;
}

/** The sentence of an error of the service; its JSON, with status and all, is no text for people. */
const SENTENCE =
  '(({detail:d}={})=>typeof d==`string`?d:Array.isArray(d)&&d[0]?.msg!==void 0?' +
  'd.map(({loc:l=[],msg:m})=>`${l.slice(1).join(`.`)}: ${m}`).join(`; `):';

/**
 * Of the version that this build of the service was tested with. Without a match the package is refused: then it is another
 * build, in which it has to be looked for anew.
 */
export const REPLACEMENTS: readonly Replacement[] = [
  {
    subject: 'fonts of a stranger, which no style uses',
    pattern: /@import "https:\/\/fonts\.googleapis\.com\/[^"]*";/g,
    by: '',
  },
  {
    subject: 'logos of strangers: those without an address get a general one',
    pattern: /(logoUrl:)`https?:[^`]*`/g,
    by: '$1``',
  },
  {
    subject: 'the name of the back end, which is that of a product: the host of the service is shown instead',
    pattern: /(=`locked-cloud`,\w+=)`OpenHands Cloud`/g,
    by: '$1location.host',
  },
  {
    subject: 'the text of an error of the service',
    pattern: /`(HTTP request failed \(\$\{[\w.]+\} \$\{[\w.]+\}\)): \$\{JSON\.stringify\((\w+)\)\}`/g,
    by: `${SENTENCE}\`$1\`)($2??void 0)`,
  },
  {
    subject:
      'what follows when a conversation is stopped: what is shown is read again, and its page stays, for the next message',
    pattern:
      /[\w$]+\(([\w$]+),[\w$]+\.conversationId,\{execution_status:[\w$]+\.PAUSED,sandbox_status:`PAUSED`\}\),[\w$]+===[\w$]+\.conversationId&&[\w$]+\(`\/conversations`\)/g,
    by: '$1.invalidateQueries()',
  },
  {
    subject: 'the consent to telemetry, which saving any setting would give',
    pattern: /\?!0:(\w+\.get\(`enable-analytics-switch`\))/g,
    by: '?!1:$1',
  },
];
