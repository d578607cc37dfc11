declare const VALUE_TYPES: readonly ["string", "integer", "number", "boolean", "array", "object"];
declare const PROMINENCES: readonly ["critical", "major", "minor"];
/** An option of a form field. */
export declare class SchemaChoice {
    label: string;
    value: string;
}
/** A field of a form. */
export declare class SchemaField {
    key: string;
    label: string;
    description: string;
    section: string;
    section_label: string;
    value_type: (typeof VALUE_TYPES)[number];
    default: unknown;
    choices: SchemaChoice[];
    depends_on: string[];
    prominence: (typeof PROMINENCES)[number];
    secret: boolean;
    required: boolean;
}
/** A section of a form. */
export declare class SchemaSection {
    key: string;
    label: string;
    fields: SchemaField[];
}
/** The supported settings, as a form. */
export declare class SettingsSchema {
    model_name: string;
    sections: SchemaSection[];
}
export {};
