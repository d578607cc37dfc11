import { type Express, Router } from 'express';

type Layer = Express['router']['stack'][number];

/** What paths do not end with, and match no matter how. */
const PARAMETER = ':';
/** Segments that match several of a path, or none, or are a parameter in part. */
const VARYING = /[*{}\\]|.:/;

/** What Express does not take apart in another way than at slashes: it has `//host/path` name a host, and knows `\` and `#`. */
const PLAIN = /^\/(?!\/)[^\\#\s]*$/;

/** Callers choose paths: as many shapes are remembered, and none that is longer. */
const MOST_SHAPES = 2_000;
const LONGEST = 1_000;

/** What is known of a path: its segments, or those before one that varies in length. */
interface Pattern {
  readonly segments: readonly string[];
  readonly isStart: boolean;
}

/**
 * The routes of Express that the shape of a path leaves: Express tries one route after the other, and the service has hundreds.
 * What is left is tried in its order, as Express does it, so that nothing else changes. The shape of a path has the words that
 * routes have, and no others: `/api/keys/current`, `/api/organizations/*`.
 */
export class RouteSelection {
  private readonly words = new Set<string>();
  private readonly selections = new Map<string, Router>();
  private readonly patterns = new Map<Layer, Pattern | null>();

  /** @param router with all routes; what is added to it later is not seen */
  constructor(private readonly router: Express['router']) {
    for (const layer of router.stack) {
      const pattern = patternOf(layer);
      this.patterns.set(layer, pattern);
      for (const word of pattern?.segments ?? []) if (!word.startsWith(PARAMETER)) this.words.add(word);
    }
  }

  /** @param url the target of a request. @returns a router with all layers that the path may be for */
  of(url: string): Router {
    // Paths of words alone are their own shapes.
    return this.selections.get(url) ?? this.select(url);
  }

  private select(url: string): Router {
    if (url.length > LONGEST || !PLAIN.test(url)) return this.router;
    const shape = this.shapeOf(url);
    const key = shape.join('/');
    let selection = this.selections.get(key);
    if (selection === undefined) {
      selection = Router();
      selection.stack = this.router.stack.filter((layer) => isFor(this.patterns.get(layer), shape));
      if (this.selections.size >= MOST_SHAPES) this.selections.clear();
      this.selections.set(key, selection);
    }
    return selection;
  }

  private shapeOf(url: string): readonly string[] {
    const [path = ''] = url.split('?', 1);
    const segments = path.toLowerCase().split('/');
    if (segments.length > 2 && segments.at(-1) === '') segments.pop();
    return segments.map((segment) => (this.words.has(segment) ? segment : '*'));
  }
}

/** The pattern of a route's path; null for middleware. */
function patternOf({ route }: Layer): Pattern | null {
  const path: unknown = route?.path;
  if (typeof path !== 'string') return null;
  const segments = path.toLowerCase().split('/');
  const varying = segments.findIndex((segment) => VARYING.test(segment));
  return { segments: varying < 0 ? segments : segments.slice(0, varying), isStart: varying >= 0 };
}

function isFor(pattern: Pattern | null | undefined, shape: readonly string[]): boolean {
  if (pattern === null || pattern === undefined) return true;
  const { segments, isStart } = pattern;
  if (isStart ? segments.length > shape.length : segments.length !== shape.length) return false;
  return segments.every((segment, i) => segment.startsWith(PARAMETER) || segment === shape[i]);
}
