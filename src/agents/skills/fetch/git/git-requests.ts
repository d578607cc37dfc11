/** A message of the service to the helper process that starts git. */
export type GitRequest =
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
      readonly input: string;
      readonly wantsOutput: boolean;
    }
  | { readonly kind: 'stop'; readonly id: number };

/** A message of the helper process to the service. */
export type GitReport =
  | { readonly kind: 'output'; readonly id: number; readonly chunk: Uint8Array }
  /** `code` is null when git was killed. */
  | { readonly kind: 'end'; readonly id: number; readonly code: number | null; readonly messages: string }
  | { readonly kind: 'unstarted'; readonly id: number; readonly why: string };
