const SETTINGS = ['llm', 'agent', 'agents', 'condenser', 'agent-context', 'verification', 'app', 'secrets'];

/** Paths of the interface's router (docs/web-interface.md#what-is-served); `/settings` itself is a page of the service. */
const PAGES = [
  /^\/(launch|customize|skills|plugins|apps|mcp)?$/,
  /^\/conversations(\/[^/]+(\/panel)?)?$/,
  new RegExp(`^/settings/(${SETTINGS.join('|')})$`),
  /^\/extensions\/.+/,
];
const AUTOMATIONS = /^\/automations(\/(new\/)?[^/]+)?$/;

/** Where it has no page, though it or its users may look for one there, and where they find what comes nearest. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^\/settings\/skills$/, '/skills'],
  [/^\/settings\/mcp$/, '/mcp'],
  [/^\/settings\/./, '/settings'],
  [/^\/(?:conversations|shared)\/./, '/conversations'],
  [/^\/automations(\/|$)/, '/'],
];

/** The paths at which the interface has pages, and those that lead to one of them. */
export class InterfacePaths {
  private readonly pages: readonly RegExp[];

  /** @param hasAutomations whether there is a service for automations, whose pages are some of the interface's */
  constructor(hasAutomations: boolean) {
    this.pages = hasAutomations ? [...PAGES, AUTOMATIONS] : PAGES;
  }

  /** Whether the web interface has a page at a path. */
  has(path: string): boolean {
    return this.pages.some((page) => page.test(plain(path)));
  }

  /** The path to go to instead of one that has no page; null where nobody would look for one. */
  nearest(path: string): string | null {
    return ELSEWHERE.find(([asked]) => asked.test(plain(path)))?.[1] ?? null;
  }
}

function plain(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
