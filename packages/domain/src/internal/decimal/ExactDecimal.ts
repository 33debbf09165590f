/**
 * decimal.js configured for arithmetic that never rounds. decimal.js keeps its settings on the constructor and rounds
 * to 20 digits by default; these constructors are private, so `Decimal.set` elsewhere does not affect them.
 */
import { Decimal } from "decimal.js"

const maximum = 1e9

/** Sums, differences and products are exact. Never divide with it: the quotient may not terminate. */
export const ExactDecimal = Decimal.clone({
  defaults: true,
  precision: maximum,
  maxE: 9e15,
  minE: -9e15,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})

/** The `Decimal` returned to callers: exact for any wire amount; division stops at 1,000 digits. */
export const PublicDecimal = Decimal.clone({
  defaults: true,
  precision: 1000,
  maxE: 9e15,
  minE: -9e15,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})

/**
 * decimal.js stores a sign `s`, the exponent `e` of the first digit, and words `d` of seven digits, aligned to the
 * point.
 */
const wordLength = 7

/**
 * `new ExactDecimal(text)` for a text known to be an amount, in two fifths of the time. With the constructor, a sum of
 * texts takes 1.05 times that of decimal.js alone instead of 0.58, and its budget is 1. A test compares the fields.
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

/** The digits from `at` as a number, zero past the end. */
const wordAt = (text: string, at: number, length: number): number => {
  let word = 0
  for (let index = at; index < at + length; index++) {
    word = word * 10 + (index < text.length ? text.charCodeAt(index) - 48 : 0)
  }
  return word
}

/** The exponent of the first nonzero digit. */
const exponentOf = (text: string, start: number, wholeEnd: number): number => {
  if (text.charCodeAt(start) !== 48) return wholeEnd - start - 1
  let first = wholeEnd + 1
  while (text.charCodeAt(first) === 48) first++
  return wholeEnd - first
}
