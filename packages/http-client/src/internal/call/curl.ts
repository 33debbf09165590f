/** A request as the `curl` command that repeats it, the secret key left for the reader to fill in. */

export const print = (url: string, partnerId: string): string =>
  `curl --user ${quote(`${partnerId}:<secret key>`)} --header 'accept: application/json' ${quote(url)}`

/** For a POSIX shell, in which only the quote itself means something between single quotes. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
