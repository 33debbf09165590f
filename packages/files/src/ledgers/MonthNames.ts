/** The names of months. English ones are always read; those of another language only if it is named. */

/** The languages whose names of months can be read. */
export const languages = ["en", "de", "fr", "es"] as const

/** One of {@link languages}. */
export type Language = (typeof languages)[number]

const words: Readonly<Record<Language, string>> = {
  en: "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct|november nov|december dec",
  de: "januar jänner jan|februar feb|märz mär mrz maerz|april apr|mai|juni jun|juli jul|august aug|september sep sept|oktober okt|november nov|dezember dez",
  fr: "janvier janv jan|février févr fév fevrier fevr fev|mars|avril avr|mai|juin|juillet juil|août aout|septembre sept sep|octobre oct|novembre nov|décembre déc decembre dec",
  es: "enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago|septiembre setiembre sept sep|octubre oct|noviembre nov|diciembre dic",
}

const months: Readonly<Record<Language, ReadonlyMap<string, number>>> = (() => {
  const mapOf = (text: string) =>
    new Map(text.split("|").flatMap((names, index) => names.split(" ").map((name) => [name, index + 1] as const)))
  return { en: mapOf(words.en), de: mapOf(words.de), fr: mapOf(words.fr), es: mapOf(words.es) }
})()

/**
 * The number of a month, from 1.
 *
 * @example
 * MonthNames.read("Sept.", "en") // => 9
 * MonthNames.read("Okt", "en") // => undefined
 */
export const read = (name: string, language: Language): number | undefined =>
  months[language].get(name.toLowerCase().replace(/\.$/, ""))

/**
 * The languages that have a month of this name.
 *
 * @example
 * MonthNames.languagesOf("Mai") // => ["de", "fr"]
 */
export const languagesOf = (name: string): ReadonlyArray<Language> =>
  languages.filter((language) => read(name, language) !== undefined)
