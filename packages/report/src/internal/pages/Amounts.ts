/** Exact amounts on a page: groups of three digits are set apart by style, so that a copied amount has no gaps. */
import * as Money from "@transferkit/domain/Money"
import { type Html, markup, nothing } from "./Html.ts"

/** The digits of an amount, or of a count. */
export const digits = (text: string): Html => {
  const [whole = "", fraction] = text.split(".")
  const lead = whole.startsWith("-") ? 1 : 0
  const head = lead + ((whole.length - lead) % 3 || 3)
  const first = whole.slice(0, head)
  const groups = Array.from({ length: Math.ceil((whole.length - head) / 3) }, (_, index) =>
    whole.slice(head + 3 * index, head + 3 * index + 3),
  )
  const more = fraction === undefined ? undefined : `.${fraction}`
  return markup`<span class="digits">${first}${groups.map((group) => markup`<i>${group}</i>`)}${more}</span>`
}

/** An amount with its currency. */
export const money = (value: Money.Money | undefined): Html => {
  if (value === undefined) return nothing
  const [amount = "", currency] = Money.label(value).split(" ")
  return markup`${digits(amount)} ${currency}`
}

/** Amounts below one another. */
export const monies = (values: ReadonlyArray<Money.Money>): Html =>
  markup`${values.map((value, index) => markup`${index === 0 ? undefined : markup`<br />`}${money(value)}`)}`
