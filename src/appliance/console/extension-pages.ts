import type { Permission } from '../../kernel/auth';

/** A page that an extension adds to the console (docs/extending.md#pages-of-the-console). */
export interface ExtensionPage {
  /** Its name in the menu. */
  readonly title: string;
  /** The path of a file: an ES module without imports, which exports `mount(element, page)`. */
  readonly script: string;
  /** Who has it in the menu; everybody without one. */
  readonly permission?: Permission;
}

/** Pages of an extension, by names such as `acme.budgets`: they are a part of the page's address. */
export type ConsolePagesByName = Readonly<Record<string, ExtensionPage>>;

/** What the console knows of a page before it opens it. */
interface ListedPage {
  readonly name: string;
  readonly title: string;
  readonly permission: string | null;
}

/** The pages as the console reads them. */
export function listedPages(pages: ConsolePagesByName): ListedPage[] {
  return Object.entries(pages).map(([name, { title, permission = null }]) => ({ name, title, permission }));
}
