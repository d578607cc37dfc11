/**
 * A plugin of Swagger UI: resolves the references of an operation when it is opened. Its own resolver reads the whole
 * document for each, a second or more; here all references are local, and none leads back to itself. It runs in the
 * browser, from its source text: it uses nothing of this file.
 */
export declare function localReferences(): object;
