/**
 * JSON in which `NaN` and the infinities, which some writers put there and no JSON has, are `null`
 * (docs/contract.md#values-that-cannot-be-stored). Takes time linear in the text.
 * @param text JSON, but for these
 */
export declare function finiteJson(text: string): string;
