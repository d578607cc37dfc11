/** Filters for models or providers. */
export declare class ModelSearch {
    provider__eq?: string;
    query?: string;
    verified__eq?: boolean;
    page_id?: string;
    limit: number;
}
/** A model that conversations may run on. */
export declare class ModelInfo {
    provider: string | null;
    name: string;
    verified: boolean;
    free: boolean;
    default: boolean;
}
export declare class ModelPage {
    items: ModelInfo[];
    next_page_id: string | null;
}
/** A provider of models. */
export declare class ProviderInfo {
    name: string;
    verified: boolean;
}
export declare class ProviderPage {
    items: ProviderInfo[];
    next_page_id: string | null;
}
