/** Subject, text and HTML of the email with a code. */
export declare function codeEmail(orgName: string, code: string): {
    subject: string;
    text: string;
    html: string;
};
