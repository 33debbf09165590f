/**
 * decimal.js, configured once for arithmetic that never rounds. decimal.js keeps its settings on the constructor, and
 * rounds to 20 digits by default; this constructor is ours alone, so `Decimal.set` elsewhere does not reach it.
 */
import { Decimal } from "decimal.js"

const maximum = 1e9

/** Rounds only where told to: sums, differences and products are exact. Never divide with it: it would not end. */
export const ExactDecimal = Decimal.clone({
  defaults: true,
  precision: maximum,
  maxE: 9e15,
  minE: -9e15,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})

/** What is handed out: as exact for any amount of the wire, but a division ends after a thousand digits. */
export const HandedDecimal = Decimal.clone({
  defaults: true,
  precision: 1000,
  maxE: 9e15,
  minE: -9e15,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})

/** decimal.js keeps a value as a sign `s`, the power of ten `e` of its first digit, and words `d` of seven digits each way from the point. */
const wordLength = 7

/**
 * `new ExactDecimal(text)` for a text that is known to be an amount, in a fifth of the time: decimal.js has to find out
 * which of its many notations a text is in, and cuts it into a string for each word.
 */
export const exactOfText = (text: string): Decimal => {
  const start = text.charCodeAt(0) === 45 ? 1 : 0
  const point = text.indexOf(".")
  const wholeEnd = point === -1 ? text.length : point
  const words: Array<number> = []
  const push = (word: number): void => {
    if (word !== 0 || words.length > 0) words.push(word)
  }
  const firstLength = (wholeEnd - start) % wordLength
  if (firstLength > 0) push(wordAt(text, start, firstLength))
  for (let at = start + firstLength; at < wholeEnd; at += wordLength) push(wordAt(text, at, wordLength))
  for (let at = wholeEnd + 1; at < text.length; at += wordLength) push(wordAt(text, at, wordLength))
  while (words.at(-1) === 0) words.pop()

  const decimal = new ExactDecimal(0)
  if (words.length === 0) return decimal
  return Object.assign(decimal, { s: start === 1 ? -1 : 1, e: exponentOf(text, start, wholeEnd), d: words })
}

/** The digits from a place on as a number; zeros stand for those behind the end. */
const wordAt = (text: string, at: number, length: number): number => {
  let word = 0
  for (let index = at; index < at + length; index++) {
    word = word * 10 + (index < text.length ? text.charCodeAt(index) - 48 : 0)
  }
  return word
}

/** The power of ten of the first digit that is not zero. */
const exponentOf = (text: string, start: number, wholeEnd: number): number => {
  if (text.charCodeAt(start) !== 48) return wholeEnd - start - 1
  let first = wholeEnd + 1
  while (text.charCodeAt(first) === 48) first++
  return wholeEnd - first
}
