/** What the operations on users' and on organizations' agent profiles say differently. */
interface Wording {
    /** Whose profiles they are, as in `your`. */
    readonly whose: string;
    /** Says that there is no such profile. */
    readonly unknown: string;
    /** Says which one counts without a choice. */
    readonly byDefault: string;
    /** Says what activating does. */
    readonly activation: string;
}
/** Documents the operations on agent profiles. */
export declare class AgentProfileOperations {
    private readonly wording;
    private readonly operations;
    /** @param ofUsers whether they are users' profiles, which may apply to all organizations */
    constructor(wording: Wording, ofUsers: boolean);
    list(): MethodDecorator;
    get(): MethodDecorator;
    save(): MethodDecorator;
    rename(): MethodDecorator;
    activate(): MethodDecorator;
    delete(): MethodDecorator;
    private described;
}
export {};
