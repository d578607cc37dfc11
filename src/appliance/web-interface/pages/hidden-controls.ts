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
  // Nothing is reported to anybody, whatever the switch says, and it cannot be moved.
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
export function hiddenControls(hasAutomations: boolean): string {
  const hidden = hasAutomations ? HIDDEN : [...HIDDEN, ...OF_AUTOMATIONS];
  return `${hidden.join(',')}{display:none!important}`;
}
