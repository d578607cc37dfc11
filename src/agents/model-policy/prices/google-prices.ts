import type { ListedPrices } from './price';

/** What Google asks for. */
export const GOOGLE: ListedPrices = {
  'gemini/gemini-2.5-flash': { input: 0.3, output: 2.5, cacheRead: 0.03, largestOutput: 65_536 },
  'gemini/gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cacheRead: 0.01, largestOutput: 65_536 },
  'gemini/gemini-2.5-pro': {
    input: 1.25,
    output: 10,
    cacheRead: 0.125,
    largestOutput: 65_536,
    beyond: { tokens: 200_000, input: 2.5, output: 15, cacheRead: 0.25 },
  },
  'gemini/gemini-3-flash-preview': { input: 0.5, output: 3, cacheRead: 0.05, largestOutput: 65_536 },
  'gemini/gemini-3.1-flash-lite': { input: 0.25, output: 1.5, cacheRead: 0.025, largestOutput: 65_536 },
  'gemini/gemini-3.1-flash-lite-preview': {
    input: 0.25,
    output: 1.5,
    cacheRead: 0.025,
    largestOutput: 65_536,
  },
  'gemini/gemini-3.1-pro-preview': {
    input: 2,
    output: 12,
    cacheRead: 0.2,
    largestOutput: 65_536,
    beyond: { tokens: 200_000, input: 4, output: 18, cacheRead: 0.4 },
  },
  'gemini/gemini-3.1-pro-preview-customtools': {
    input: 2,
    output: 12,
    cacheRead: 0.2,
    largestOutput: 65_536,
    beyond: { tokens: 200_000, input: 4, output: 18, cacheRead: 0.4 },
  },
  'gemini/gemini-3.5-flash': { input: 1.5, output: 9, cacheRead: 0.15, largestOutput: 65_536 },
  'gemini/gemini-3.5-flash-lite': { input: 0.3, output: 2.5, cacheRead: 0.03, largestOutput: 65_536 },
  'gemini/gemini-3.6-flash': { input: 0.75, output: 3.75, cacheRead: 0.075, largestOutput: 65_536 },
  'gemini/gemini-3.7-flash': { input: 0.75, output: 3.75, cacheRead: 0.075, largestOutput: 65_536 },
  'gemini/gemini-3.8-flash': { input: 0.75, output: 3.75, cacheRead: 0.075, largestOutput: 65_536 },
  'gemini/gemini-4-argon': { input: 2, output: 10, cacheRead: 0.1, largestOutput: 1_048_576 },
  'gemini/gemini-embedding-001': { input: 0.15, output: 0, largestOutput: 0 },
  'gemini/gemini-embedding-2': { input: 0.2, output: 0, largestOutput: 0 },
  'gemini/gemini-embedding-2-preview': { input: 0.2, output: 0, largestOutput: 0 },
  'gemini/gemini-flash-latest': { input: 0.75, output: 3.75, cacheRead: 0.075, largestOutput: 65_536 },
  'gemini/gemini-flash-lite-latest': { input: 0.3, output: 2.5, cacheRead: 0.03, largestOutput: 65_536 },
  'gemini/gemini-pro-latest': {
    input: 2,
    output: 12,
    cacheRead: 0.2,
    largestOutput: 65_536,
    beyond: { tokens: 200_000, input: 4, output: 18, cacheRead: 0.4 },
  },
};
