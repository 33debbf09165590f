/** A certificate as a badge for a README or a status page: an SVG with the verdict and the day. */
import * as Certificate from "@transferkit/conformance/certificate/Certificate"
import stringWidth from "string-width"
import { escapeMarkup } from "./internal/pages/Markup.ts"

const label = "transfer contract"
/** Pixels of a character at 11 px Verdana, on average, and beside a text. */
const [ofCharacter, padding] = [6.6, 8]

const widthOf = (text: string): number => Math.round(stringWidth(text) * ofCharacter + 2 * padding)

/** The badge. It names the day, because a certificate is of that day only. */
export const render = (certificate: Certificate.Certificate): string => {
  const { broken, kept } = Certificate.countsOf(certificate)
  const day = certificate.made_at.slice(0, 10)
  const text = `${broken === 0 ? `${kept} laws kept` : `${broken} of ${kept + broken} laws broken`}, ${day}`
  const [left, right] = [widthOf(label), widthOf(text)]
  const words = (content: string, from: number, width: number): string =>
    `<text x="${from + width / 2}" y="14" textLength="${width - 2 * padding}" lengthAdjust="spacingAndGlyphs">${escapeMarkup(content)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${escapeMarkup(`${label}: ${text}`)}">
<title>${escapeMarkup(`${label}: ${text}`)}</title>
<rect width="${left}" height="20" fill="#444"/>
<rect x="${left}" width="${right}" height="20" fill="${broken === 0 ? "#1a7f37" : "#b42318"}"/>
<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
${words(label, 0, left)}
${words(text, left, right)}
</g>
</svg>
`
}
