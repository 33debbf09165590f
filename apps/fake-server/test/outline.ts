/// <reference lib="dom" />
/** The visible structure of a page, as text: regions, headings, controls, tables. */
import type { Page } from "puppeteer-core"

/** The outline of an element, one line for each part. Times and durations are masked. */
export const outline = async (page: Page, selector = "body"): Promise<string> => {
  const text = await page.$eval(selector, (root) => {
    const parts =
      "header, nav, main, aside, section, dialog, h1, h2, h3, form, fieldset, table, tr, th, td, a, button, select, input, textarea, summary, dt, dd, li, time, p, [role=group]"
    const nameOf = (element: Element): string => {
      if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
        return `${element.type} ${element.labels?.[0]?.textContent ?? ""}${"checked" in element && element.checked ? " (on)" : ""}`
      }
      if (element instanceof HTMLSelectElement) {
        return `${element.labels?.[0]?.querySelector("span")?.textContent ?? ""} = ${element.selectedOptions[0]?.text}`
      }
      const label = element.getAttribute("aria-label")
      if (label !== null) return `[${label}]`
      if (element.querySelector(parts) !== null && !element.matches("h1, h2, h3, th, td, dd, li, p")) return ""
      return element instanceof HTMLElement ? element.innerText.replaceAll(/\s+/g, " ").trim() : ""
    }
    const isVisible = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect()
      const hiddenBy = (each: Element | null): boolean =>
        each !== null && (getComputedStyle(each).clipPath === "inset(50%)" || hiddenBy(each.parentElement))
      const isBox = width > 0 || height > 0 || getComputedStyle(element).display === "contents"
      return element.checkVisibility() && isBox && !hiddenBy(element)
    }
    const lines = (element: Element, depth: number): ReadonlyArray<string> =>
      [...element.children].flatMap((child) => {
        if (!isVisible(child)) return []
        if (!child.matches(parts)) return lines(child, depth)
        const line = `${"  ".repeat(depth)}${child.tagName.toLowerCase()} ${nameOf(child)}`.trimEnd()
        return [line, ...lines(child, depth + 1)]
      })
    return lines(root, 0).join("\n")
  })
  const masked = text
    .replaceAll(/\d\d\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z/g, "AT")
    .replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, "TIME")
    .replaceAll(/[\d.]+ ms/g, "MS")
  return `${masked}\n`
}
