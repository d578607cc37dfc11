/** Why a text is no JSON: what is wrong, and where. */
export class JsonSyntaxError extends Error {
  /**
   * @param reason text for `ctx.error`
   * @param position in code points from the start of the text
   */
  constructor(
    readonly reason: string,
    readonly position: number,
  ) {
    super(`${reason} at ${position}`);
  }
}

/** The text may be JSON, and is not read: it nests too deep, or has an integer of too many digits. */
export class JsonLimitError extends Error {}
