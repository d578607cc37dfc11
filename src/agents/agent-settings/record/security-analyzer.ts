/** How the risk of an action is assessed before it is confirmed. */
export const SECURITY_ANALYZERS = ['llm', 'none'] as const;

export type SecurityAnalyzer = (typeof SECURITY_ANALYZERS)[number];
