import { Html } from '../../common';
/** The page fetches nothing, runs nothing, is framed by nobody, and sends its forms to us only. */
export declare const PAGE_POLICY: string;
/**
 * A page for people that is no application.
 * @param title for the browser's tab
 * @param badge a letter or sign above the heading
 */
export declare function page(title: string, badge: string, content: readonly Html[]): string;
