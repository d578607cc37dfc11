export declare class ApiKeysModule {
}
