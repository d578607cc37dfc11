/** How the risk of an action is assessed before it is confirmed. */
export declare const SECURITY_ANALYZERS: readonly ["llm", "none"];
export type SecurityAnalyzer = (typeof SECURITY_ANALYZERS)[number];
