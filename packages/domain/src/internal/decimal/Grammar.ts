/** The two text grammars of the wire. Amount.ts and CurrencyCode.ts document them. */

export const amountMaxLength = 255

export const amountPattern: RegExp = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

export const currencyCodePattern: RegExp = /^[!-.0-~]+\/[!-.0-~]+$/
