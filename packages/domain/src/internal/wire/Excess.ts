/** How much more text a page has than its transfers ordinarily have: what bounds by their number do not bound. */
import type { TransferPage } from "./PageReader.ts"

/** Characters of a transfer that its number stands for: several times what services send. */
const ordinary = 2048

/** The most such text that a scan holds: in windows under way, in seconds, and in windows that wait for the consumer. */
export const most = 32 * 1024 * 1024

const excesses = new WeakMap<TransferPage, number>()

/** Keeps it for a page that was read from this text. */
export const noted = (page: TransferPage, text: string): TransferPage => {
  const excess = text.length - ordinary * (page.results.length + 1)
  if (excess > 0) excesses.set(page, excess)
  return page
}

/** In characters; 0 for an ordinary page, and one that was not read from text. */
export const of = (page: TransferPage): number => excesses.get(page) ?? 0
