/**
 * A plugin of Swagger UI: over the parameters of each operation it shows `x-permission`, and `x-to-put-in` if the
 * operation has it. It runs in the browser, from its source text: it uses nothing of this file.
 */
export declare function operationNotes(): object;
