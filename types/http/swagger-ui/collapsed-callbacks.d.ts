/**
 * A plugin of Swagger UI: the callbacks of the document are shown once somebody asks for them, as a long list is drawn again
 * with every change. It runs in the browser, from its source text: it uses nothing of this file.
 */
export declare function collapsedCallbacks(): object;
