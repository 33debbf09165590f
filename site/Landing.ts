/** The site's first page, from the repository's README: what this is, its proof, two commands, and a door for each reader. */

/** What the page shows. `frontmatter` is the head that VitePress draws, `markdown` is what stands below it. */
export interface Landing {
  readonly frontmatter: Readonly<Record<string, unknown>>
  readonly markdown: string
}

/** The landing page of a README whose links lead to pages of the site. */
export const of = (readme: string): Landing => {
  const [head = "", ...sections] = readme.split(/^## /m)
  const [, pain = "", picture = "", what = ""] = head.split("\n\n")
  const [commands = "", doors = ""] = ["Two commands", "Where to go"].map((title) => {
    const section = sections.find((text) => text.startsWith(`${title}\n`))
    if (section === undefined)
      throw new Error(`README.md has no section "${title}", which the site's first page shows.`)
    return section.slice(title.length).trim()
  })
  return {
    frontmatter: {
      layout: "home",
      hero: {
        name: "TransferKit",
        text: "Close the month to the last digit",
        tagline: pain.replace(/:$/, "."),
        actions: [
          { theme: "brand", text: "Reconcile a month", link: "/tutorial" },
          { theme: "alt", text: "Try it in this browser", link: "/playground/index.html", target: "_self" },
        ],
      },
    },
    markdown: [picture, what, "## Two commands", commands, "## Three doors", doorsOf(doors)].join("\n\n"),
  }
}

/** The first three rows of the table: one for each kind of reader who comes with a task. */
const doorsOf = (table: string): string =>
  [...table.matchAll(/^\| (?!you |-)([^|]+?) \| (.+) \|$/gm)]
    .slice(0, 3)
    .map(([, reader, links = ""]) => `- **You ${reader}**\n\n${links.split("), ").map(door).join("\n")}`)
    .join("\n")

const door = (link: string): string => {
  const whole = link.endsWith(")") ? link : `${link})`
  return `  - ${whole.replace(/[a-z]/, (first) => first.toUpperCase())}`
}
