/** Text inside XML and HTML. */
import { escapeControls } from "@transferkit/domain/SafeText"

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/**
 * Escapes markup as entities. Control characters, which XML cannot express, become U+FFFD; half a surrogate pair is shown
 * as its escape.
 */
export const escapeMarkup = (text: string): string =>
  (text.isWellFormed() ? text : escapeControls(text))
    .replace(/(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]/gu, "\ufffd")
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
