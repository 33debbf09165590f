/** A request as the `curl` command that repeats it, with a placeholder for the secret key. */

export const print = (url: string, partnerId: string): string =>
  `curl --user ${quote(`${partnerId}:<secret key>`)} --header 'accept: application/json' ${quote(url)}`

/** For a POSIX shell, where only the quote itself is special between single quotes. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
