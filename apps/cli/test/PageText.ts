/** What a reader of a page sees of it. */

/** The text of a page, or of a part of one. */
export const of = (html: string): string => html.replace(/^[^]*<body>/, "").replace(/<[^>]*>/g, "")

/** The command line that made a page, as it stands there. */
export const command = (html: string): string => of(/<dt>Command<\/dt><dd>(.*?)<\/dd>/.exec(html)?.[1] ?? "")
