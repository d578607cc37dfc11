import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { html } from '../../../kernel/common';
import { PAGE_SETUP } from './page-setup';

/** Where there is no service for automations: sidebar and the list of commands. */
const OF_AUTOMATIONS = [
  '[data-testid="sidebar-automations-link"]',
  '[data-testid="sidebar-pin-home-toggle-automations"]',
  '#command-menu-option-automations',
];

/** Controls of the interface that lead nowhere here, by what of them is in every version of its pages. */
const HIDDEN = [
  // First steps of a product, of which some are not possible here and others count as done that are not.
  '[data-testid="sidebar-onboarding-checklist"]',
  'label:has([data-testid="show-getting-started-checklist-switch"])',
  // Analytics are off whatever the switch says, and the switch is disabled.
  'label:has([data-testid="enable-analytics-switch"])',
  // Back ends to manage: there is this one.
  '[data-testid="collapsed-backend-selector-link"]',
  // The interface has no page for a conversation that was shared.
  'li:has([data-testid="share-publicly-button"])',
  // Sandboxes run no editor.
  '[data-testid="drawer-vscode-link"]',
  '[data-testid="download-vscode-button"]',
];

/** Styles that keep what cannot work from being shown (docs/web-interface.md#what-is-not-shown). */
function hiddenControls(hasAutomations: boolean): string {
  const hidden = hasAutomations ? HIDDEN : [...HIDDEN, ...OF_AUTOMATIONS];
  return `${hidden.join(',')}{display:none!important}`;
}

const HEAD = '<head>';
const INLINE_SCRIPT = /<script\b(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g;

/** The signed-in user, and the organization that the page starts in. */
interface Viewer {
  readonly userId: string;
  readonly orgId: string | null;
}

/** The web interface's only HTML page, served at all of its paths. */
export class IndexPage {
  /** Sources in `script-src` for the inline scripts. */
  readonly scriptSources: readonly string[];

  private constructor(
    private readonly before: string,
    private readonly after: string,
    private readonly styles: string,
  ) {
    const inline = [...this.textFor({ userId: '', orgId: null }).matchAll(INLINE_SCRIPT)];
    this.scriptSources = inline.map(([, script = '']) => `'sha256-${digest(script, 'base64')}'`);
  }

  /**
   * Reads the page of an installed interface.
   * @throws Error if it has no `head`
   */
  static async of(folder: string, shows: { readonly hasAutomations: boolean }): Promise<IndexPage> {
    const [before, ...after] = (await readFile(join(folder, 'index.html'), 'utf8')).split(HEAD);
    if (before === undefined || after.length === 0)
      throw new Error(`The web interface in ${folder} has an index page without a head.`);
    return new IndexPage(before + HEAD, after.join(HEAD), hiddenControls(shows.hasAutomations));
  }

  /** The page with the viewer's data, which is in place before any script of the interface runs. */
  textFor({ userId, orgId }: Viewer): string {
    const data = html`data-user="${userId}" data-org="${orgId ?? ''}"`.text;
    return `${this.before}<style>${this.styles}</style><script ${data}>${PAGE_SETUP}</script>${this.after}`;
  }

  /** The page's ETag: equal for equal texts. */
  static tagOf(text: string): string {
    return `W/"${digest(text, 'base64url')}"`;
  }
}

function digest(text: string, encoding: 'base64' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding);
}
