/**
 * The libraries of the protocol, which are loaded with the first request of a directory: what reads filters, and what applies the
 * operations of a PATCH (docs/decisions/0060-scim.md).
 */
export async function loadLibraries() {
  const [{ parse, stringify }, { scimPatch }] = await Promise.all([
    import('scim2-parse-filter'),
    import('scim-patch'),
  ]);
  return { parse, stringify, scimPatch };
}

export type Libraries = Awaited<ReturnType<typeof loadLibraries>>;
