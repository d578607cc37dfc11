/** Text that is HTML already and is not escaped again. */
export declare class Html {
    readonly text: string;
    constructor(text: string);
}
/** The values a template takes: text is escaped, `null` renders as nothing. */
export type HtmlValue = string | number | Html | readonly Html[] | null;
/** A template tag that escapes its values: safe in elements and in quoted attributes. */
export declare function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html;
