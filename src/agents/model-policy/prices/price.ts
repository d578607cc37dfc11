/** What a million tokens cost, in dollars. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  /** Of input that the provider remembered; as other input where it is left out. */
  readonly cacheRead?: number;
  /** Of input that it remembers from now on; as other input where it is left out. */
  readonly cacheWrite?: number;
  /** The same for an hour instead of minutes; as `cacheWrite` where it is left out. */
  readonly cacheWriteLong?: number;
}

/** What a model costs. */
export interface ModelPrice extends Rates {
  /** The most tokens of one answer; unknown where it is left out. */
  readonly largestOutput?: number;
  /** The rates of calls with more tokens of input than these. */
  readonly beyond?: Rates & { readonly tokens: number };
}

/** Prices by the full names of models. */
export type ListedPrices = Readonly<Record<string, ModelPrice>>;

/**
 * Tokens of one call or of several. What was read from a provider's memory or written to it is part of `prompt`, as agent servers
 * report it.
 */
export interface PricedTokens {
  readonly prompt: number;
  readonly completion: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** How many of `cacheWrite` are remembered for an hour. */
  readonly cacheWriteLong?: number;
}

/** What is known about a call before it is made. */
export interface CallSize {
  /** Of its body. A token stands for a byte at least. */
  readonly inputBytes: number;
  /** The most tokens of the answer; null where the request sets no limit. */
  readonly maxOutputTokens: number | null;
  /** Tokens of what the body only names, such as images at addresses. */
  readonly namedTokens?: number;
}

/** For models whose largest answer is not known: none has been larger. */
export const LARGEST_OUTPUT = 500_000;
/** No model reads more; a body may be longer, and is refused by its provider then. */
const LARGEST_PROMPT = 2_000_000;
const MILLION = 1_000_000;

/** What some tokens of one call cost, in dollars. Figures that are no counts are taken for zero, so that nothing is below it. */
export function costOf(price: ModelPrice, tokens: PricedTokens): number {
  const prompt = counted(tokens.prompt);
  const rates = price.beyond !== undefined && prompt > price.beyond.tokens ? price.beyond : price;
  const read = Math.min(counted(tokens.cacheRead), prompt);
  const written = Math.min(counted(tokens.cacheWrite), prompt - read);
  const long = Math.min(counted(tokens.cacheWriteLong ?? 0), written);
  const { input, output, cacheRead = input, cacheWrite = input, cacheWriteLong = cacheWrite } = rates;
  const dollars =
    (prompt - read - written) * input +
    read * cacheRead +
    (written - long) * cacheWrite +
    long * cacheWriteLong +
    counted(tokens.completion) * output;
  return dollars / MILLION;
}

/** The most that a call can cost, in dollars, and the most tokens that it can take. */
export function mostOf(
  price: ModelPrice,
  size: CallSize,
): { readonly cost: number; readonly tokens: number } {
  const { inputBytes, maxOutputTokens, namedTokens = 0 } = size;
  const prompt = Math.min(inputBytes + namedTokens, LARGEST_PROMPT);
  const completion = maxOutputTokens ?? price.largestOutput ?? LARGEST_OUTPUT;
  const beyond = price.beyond !== undefined && prompt > price.beyond.tokens ? price.beyond : price;
  // Fewer tokens than bytes may be counted by the lower rates: those are never the higher ones of both.
  const input = Math.max(highestInput(price), highestInput(beyond));
  const output = Math.max(price.output, beyond.output);
  return { cost: (prompt * input + completion * output) / MILLION, tokens: prompt + completion };
}

function highestInput({ input, cacheRead = 0, cacheWrite = 0, cacheWriteLong = 0 }: Rates): number {
  return Math.max(input, cacheRead, cacheWrite, cacheWriteLong);
}

function counted(tokens: number): number {
  return Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}
