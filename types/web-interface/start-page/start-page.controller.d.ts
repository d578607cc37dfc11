import { type Settings } from '../../config';
/** The page at `/` when no web interface is served. */
export declare class StartPageController {
    private readonly startPage;
    constructor(settings: Settings);
    showStartPage(): string;
}
