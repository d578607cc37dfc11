export declare class OrgsModule {
}
