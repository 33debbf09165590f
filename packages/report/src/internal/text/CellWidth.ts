/** The widths of texts in cells of a terminal. */
import stringWidth from "string-width"

/** The width that the widest of some texts needs, however many they are. */
export const widthOf = (texts: Iterable<string>): number => {
  let most = 0
  for (const text of texts) most = Math.max(most, stringWidth(text))
  return most
}
